/** Dewspout: three vessels to scale, a spout above each, a drain below. */

import { control, put, shake, still, svg } from "../dom.js";
import { pairs } from "../pairs.js";

const NAMES = ["A", "B", "C"];
const VERBS = new Map([["fill", "Fill"], ["empty", "Empty"], ["restart", "Restart"], ["next", "Next garden"], ["bank", "Bank"]]);
const UNIT = 20; // the height of one unit of water
const BETWEEN = 132; // from vessel to vessel
const HALF = 38; // half a vessel's width
const RIM = 74; // where the tallest vessel has its rim

export const keys = [
  ["← → ↑ ↓", "go between spouts, vessels and drains"],
  ["Enter", "open a spout or a drain; lift a vessel, or pour the lifted one there"],
  ["A, B, C", "lift that vessel, or pour the lifted one there"],
  ["F, E", "fill or empty the vessel you are at"],
  ["Esc", "put the lifted vessel down"],
  ["R, N", "restart, next garden"],
];

export const about =
  "Tap a vessel and then another, or drag it there, to pour until the first is empty or the second is full. The spout fills to the brim, the drain empties. All three must stand at their targets at once.";

export function name(action) {
  const { type, vessel, from, to } = action;
  const called = (place) => Number.isInteger(place) && NAMES[place];
  if (type === "pour") return called(from) && called(to) && `${called(from)} → ${called(to)}`;
  if (type === "fill" || type === "empty") return called(vessel) && `${VERBS.get(type)} ${called(vessel)}`;
  return VERBS.get(type);
}

export function facts({ garden, par, gardenMoves, totalMoves }) {
  return [
    ["Garden", garden],
    ["Par", par, "The fewest moves that clear this garden"],
    ["Moves here", gardenMoves],
    ["Moves in all", totalMoves],
  ];
}

export function notes() {
  return [];
}

export function tell(report, state, action) {
  const amounts = NAMES.map((vessel, place) => `${vessel} ${state.amounts[place]}`).join(", ");
  if (report.cleared) {
    return `${name(action)}. Cleared: ${report.completionPoints} points and ${report.efficiencyBonus} for ${state.gardenMoves} moves at par ${state.par}.`;
  }
  if (report.action === "next") return `Garden ${state.garden}: targets ${state.targets.join(", ")}, par ${state.par}.`;
  if (report.action === "bank") return `Banked: the run is over with ${state.score} points.`;
  return `${name(action)}${report.moved ? `, ${report.moved}` : ""}: ${amounts}.`;
}

export function board(host, play) {
  let scene = null;
  let shown = null;
  return {
    show(answer, animated) {
      const { garden, capacities, targets } = answer.state;
      const drawn = JSON.stringify([garden, capacities, targets]);
      const same = scene?.drawn === drawn;
      if (!same) scene = { drawn, ...draw(host, answer.state, play, () => shown) };
      scene.place(answer, animated && same ? shown : null);
      shown = answer;
    },
    key(event) {
      const action = { r: "restart", n: "next" }[event.key.toLowerCase()];
      return action ? (play({ type: action }), true) : scene.key(event);
    },
    refused(action) {
      scene.shake(action);
    },
  };
}

/** The drawing of one garden. `place` pours the water in. */
function draw(host, { garden, capacities, targets }, play, shown) {
  const tallest = Math.max(...capacities);
  const floor = RIM + tallest * UNIT;
  const size = { x: 3 * BETWEEN, y: floor + 78 };
  const at = (vessel) => (vessel + 0.5) * BETWEEN;
  const vessels = capacities.map(vesselOf);
  const spouts = capacities.map((_, vessel) =>
    tap("fill", vessel, [
      svg("rect", { class: "hit", x: -52, y: 4, width: 104, height: 46, rx: 10 }),
      svg("path", { class: "pipe", d: "M-34 14 h30 q10 0 10 10 v8 h-12 v-6 h-28 z" }),
      svg("path", { class: "drop", d: "M0 35 q5 7 0 10 q-5 -3 0 -10" }),
      svg("text", { x: 13, y: 31 }, "fill"),
    ]),
  );
  const drains = capacities.map((_, vessel) =>
    tap("empty", vessel, [
      svg("rect", { class: "hit", x: -52, y: floor + 34, width: 108, height: 40, rx: 10 }),
      svg("path", { class: "pipe", d: `M-34 ${floor + 42} h36 l-11 12 v12 h-14 v-12 z` }),
      svg("text", { x: 8, y: floor + 58 }, "empty"),
    ]),
  );
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${size.x} ${size.y}`, class: "dewspout", role: play ? "group" : "img", "aria-label": play ? "The garden" : `Garden ${garden} of Dewspout` },
    spouts,
    vessels.map(({ element }) => element),
    drains,
  );
  host.replaceChildren(drawing);

  function tap(type, vessel, marks) {
    const element = control(play ? `${name({ type, vessel })}` : null, { class: `tap ${type}`, transform: `translate(${at(vessel)} 0)`, "data-tap": `${type}-${vessel}` }, ...marks);
    if (play) element.addEventListener("click", () => play({ type, vessel }));
    return element;
  }

  function vesselOf(capacity, vessel) {
    const height = capacity * UNIT;
    const target = targets[vessel] * UNIT;
    const water = svg("rect", { class: "water", x: -HALF + 3, width: 2 * HALF - 6, y: -height, height });
    const change = svg("text", { class: "change", y: -height / 2 });
    const amount = svg("text", { class: "amount", y: 22 });
    const marks = Array.from({ length: capacity - 1 }, (_, unit) => `M${-HALF} ${-(unit + 1) * UNIT} h7`).join(" ");
    const inside = svg(
      "g",
      { class: "vessel" },
      svg("clipPath", { id: `inside-${vessel}` }, svg("rect", { x: -HALF, y: -height - 1, width: 2 * HALF, height: height + 1, rx: 8 })),
      svg("rect", { class: "glass", x: -HALF, y: -height, width: 2 * HALF, height, rx: 8 }),
      svg("g", { "clip-path": `url(#inside-${vessel})` }, water),
      svg("path", { class: "marks", d: marks }),
      svg("path", { class: "wall", d: `M${-HALF} ${-height - 8} V-8 q0 8 8 8 H${HALF - 8} q8 0 8 -8 V${-height - 8}` }),
      svg("g", { class: "target", transform: `translate(0 ${-target})` }, svg("path", { d: `M${-HALF} 0 h${2 * HALF}`, class: "halo" }), svg("path", { d: `M${-HALF} 0 h${2 * HALF}`, class: "line" }), svg("path", { d: `M${HALF + 2} 0 l9 -5.5 v11 z` }), svg("text", { x: HALF + 17, y: 5 }, String(targets[vessel]))),
      change,
    );
    const element = control(
      play ? "" : null,
      { class: "place", transform: `translate(${at(vessel)} ${floor})`, "data-place": play ? vessel : null },
      svg("rect", { class: "hit", x: -BETWEEN / 2 + 1, y: -tallest * UNIT - 18, width: BETWEEN - 2, height: tallest * UNIT + 50, rx: 12 }),
      inside,
      amount,
    );
    return { element, inside, water, change, amount };
  }

  const pairing =
    play &&
    pairs(drawing, {
      chosen(vessel, point) {
        const targets = shown().legalActions.filter((action) => action.type === "pour" && action.from === vessel);
        vessels.forEach(({ element, inside }, place) => {
          element.classList.toggle("chosen", place === vessel);
          element.classList.toggle("open", targets.some((action) => action.to === place));
          inside.classList.toggle("held", point !== null && place === vessel);
          if (place !== vessel) put(inside, 0, 0);
          else if (point) put(inside, point.x - at(vessel), Math.min(0, point.y - floor + (capacities[vessel] * UNIT) / 2));
          else put(inside, 0, -10);
        });
      },
      done: (from, to) => play({ type: "pour", from, to }),
    });

  return {
    key(event) {
      const letter = NAMES.indexOf(event.key.toUpperCase());
      if (letter >= 0) return pairing.tap(letter), true;
      const focus = document.activeElement;
      const tapped = focus?.dataset.tap?.split("-");
      const here = Number(focus?.dataset.place ?? tapped?.[1] ?? 0);
      const type = { f: "fill", e: "empty" }[event.key.toLowerCase()];
      if (type) return play({ type, vessel: here }), true;
      if (tapped && (event.key === "Enter" || event.key === " ")) return play({ type: tapped[0], vessel: here }), true;
      const columns = [spouts, vessels.map(({ element }) => element), drains];
      const row = { fill: 0, empty: 2 }[tapped?.[0]] ?? 1;
      const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!move) return pairing.key(event);
      const inside = drawing.contains(focus);
      columns[inside ? row + move[0] : 1]?.[inside ? here + move[1] : 0]?.focus();
      return true;
    },

    shake({ type, vessel, from }) {
      const place = NAMES.findIndex((_, index) => index === (vessel ?? from));
      if (place < 0) return;
      shake(vessels[place].inside);
      if (type === "fill" || type === "empty") shake((type === "fill" ? spouts : drains)[place].querySelector(".pipe"));
    },

    place({ state, legalActions }, before) {
      vessels.forEach(({ element, water, amount, change }, vessel) => {
        const [held, capacity, target] = [state.amounts[vessel], capacities[vessel], targets[vessel]];
        put(water, 0, (capacity - held) * UNIT);
        amount.textContent = `${NAMES[vessel]}  ${held} / ${capacity}`;
        element.classList.toggle("met", held === target);
        if (play) element.setAttribute("aria-label", `Vessel ${NAMES[vessel]}: ${held} of ${capacity}, target ${target}`);
        const moved = before ? held - before.state.amounts[vessel] : 0;
        if (moved) rise(change, moved);
      });
      for (const [type, taps] of [["fill", spouts], ["empty", drains]]) {
        taps.forEach((element, vessel) => element.classList.toggle("idle", !legalActions.some((action) => action.type === type && action.vessel === vessel)));
      }
    },
  };
}

/** How much went in or out, for a moment. */
function rise(text, moved) {
  text.textContent = moved > 0 ? `+${moved}` : `−${-moved}`;
  const way = still() ? 0 : moved > 0 ? 18 : -18;
  text.animate(
    [
      { opacity: 1, transform: `translateY(${-way / 2}px)` },
      { opacity: 1, offset: 0.6 },
      { opacity: 0, transform: `translateY(${way / 2}px)` },
    ],
    { duration: 1100, easing: "ease-out" },
  );
}
