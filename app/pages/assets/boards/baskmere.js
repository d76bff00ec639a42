/** Baskmere: turtles on rocks, the plan as their mirror image in the water, and the Daylight as a sun that sinks. */

import { control, put, shake, still, svg } from "../dom.js";
import { pairs } from "../pairs.js";

const PITCH = 24; // from turtle to turtle in a pile
const MIRRORED = 21; // the same in the water
const SKY = 62; // above the tallest pile
const CREEK = 44; // the band of water that shows which way it flows
const MARGIN = 8;
const WIDE = 3000;

const NAMES = new Map([["STEP_BACK", "Step back"], ["NEXT_POND", "Next pond"], ["END_RUN", "End run"]]);

export const keys = [
  ["← →", "go from rock to rock"],
  ["Enter, or the number of a rock", "lift its top turtle, or put the lifted one there"],
  ["Esc", "put the lifted turtle back"],
  ["B", "step back"],
  ["N", "next pond"],
];

export const about =
  "Tap a rock and then another, or drag its top turtle: onto an empty rock or a bigger turtle. The water mirrors the plan, what each rock should hold.";

export function name(action) {
  const { type, from, to } = action;
  return type === "MOVE" ? Number.isInteger(from) && Number.isInteger(to) && `${from} → ${to}` : NAMES.get(type);
}

export function facts({ daylight, pond, spent, streak }) {
  return [
    ["Pond", pond.number],
    ["Daylight", daylight, "What moves are paid with; the run ends when it can no longer settle the pond"],
    ["Spent", spent, "Daylight spent in this pond"],
    ["Par", pond.par, "The least Daylight that settles this pond"],
    ["Spare", pond.spare, "Daylight that this pond granted beyond par"],
    ["Streak", streak, "Perfect ponds in a row: each pays more"],
  ];
}

export function notes({ pond }) {
  const words = {
    lilyPad: ["Lily pad", `rock ${pond.lilyPad} holds 2 turtles at most.`],
    shyShells: ["Shy shells", "no turtle rests directly on one with the same shell."],
    creek: ["Creek", "between rocks 0, 1 and 2 turtles swim along the arrows only."],
    grandshell: ["Grandshell", `each move of turtle ${pond.turtles.length} costs 2 Daylight.`],
  };
  return pond.features.map((feature) => words[feature]);
}

export function tell(report, state) {
  if (report.action === "END_RUN") return state.outcome === "win" ? "The run is over: a win." : "The run is over: a good game.";
  if (report.action === "NEXT_POND") {
    return `Pond ${report.pond}: par ${report.par}, spare ${report.spare}, Daylight ${report.daylight}.${last(report)}`;
  }
  const swim = `Turtle ${report.turtle} from rock ${report.from} to rock ${report.to}${report.cost > 1 ? `, for ${report.cost} Daylight` : ""}.`;
  if (report.sunset) return `${swim} Sunset: the Daylight left cannot settle this pond.`;
  if (!report.settled) return swim + last(report);
  return `${swim} Settled, ${report.grade}: ${report.award} points${report.sunbeam ? " and a Sunbeam" : ""}.`;
}

function last(report) {
  return report.lastLight ? " Last light: only moves on a shortest way are left." : "";
}

export function board(host, play) {
  let scene = null;
  let shown = null;
  return {
    show(answer, animated) {
      const pond = JSON.stringify(answer.state.pond);
      const same = scene?.pond === pond;
      if (!same) scene = { pond, ...draw(host, answer.state, play, () => shown) };
      scene.place(answer, animated && same);
      shown = answer;
    },
    key(event) {
      const action = { b: "STEP_BACK", n: "NEXT_POND" }[event.key.toLowerCase()];
      return action ? (play({ type: action }), true) : scene.key(event);
    },
    refused({ from }) {
      shake(scene.topOf(from));
    },
  };
}

/** The drawing of one pond. `place` puts the turtles where they are. */
function draw(host, state, play, shown) {
  const { pond } = state;
  const count = pond.turtles.length;
  const width = Math.max(78, shellWidth(count) + 16);
  const ground = SKY + count * PITCH;
  const rapids = pond.lanes.some((row, from) => row.some((open, to) => from !== to && !open));
  const water = ground + 26 + (rapids ? CREEK : 0);
  const depth = Math.max(...pond.plan.map((pile) => pile.length), 2) * MIRRORED;
  const size = { x: pond.rocks * width + 2 * MARGIN, y: water + depth + 40 };
  const at = (rock) => MARGIN + (rock + 0.5) * width;

  const sun = svg("g", { class: "sun" }, svg("circle", { r: 21 }), svg("text", { y: 6 }));
  const dusk = svg("rect", { class: "dusk", ...wide(-WIDE, ground + 10) });
  const rocks = pond.plan.map((plan, rock) => rockAt(rock, plan));
  const turtles = pond.turtles.map((turtle) => svg("g", { class: "turtle" }, ...shell(turtle)));
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${size.x} ${size.y}`, class: "baskmere", role: play ? "group" : "img", "aria-label": play ? "The pond" : `Pond ${pond.number} of Baskmere` },
    patterns(),
    svg("rect", { class: "sky", ...wide(-WIDE, ground + 10) }),
    dusk,
    sun,
    svg("rect", { class: "water", ...wide(ground + 10, WIDE) }),
    svg("path", { class: "ripples", d: ripples(size.x, water, size.y) }),
    svg("text", { class: "note", x: size.x / 2, y: size.y - 9 }, "the plan, mirrored"),
    rapids && currents(pond.lanes, at, ground + 34),
    rocks.map((rock) => rock.element),
    turtles,
  );
  host.replaceChildren(drawing);

  function rockAt(rock, plan) {
    const lily = rock === pond.lilyPad;
    const ghosts = plan.map((turtle, level) =>
      svg(
        "g",
        { class: "ghost", transform: `translate(${at(rock)} ${water + 4 + level * MIRRORED})` },
        svg("g", { transform: "scale(.92 -.82)" }, ...body(pond.turtles[turtle - 1])),
        svg("circle", { class: "badge", cy: 9.5, r: 8.5 }),
        svg("text", { y: 15 }, String(turtle)),
      ),
    );
    const element = control(
      play ? "" : null,
      { class: "rock", "data-place": play ? rock : null },
      svg("rect", { class: "hit", x: MARGIN + rock * width + 2, y: 6, width: width - 4, height: size.y - 36, rx: 12 }),
      lily
        ? svg("path", { class: "lily", d: leaf(at(rock), ground + 9, width * 0.47, 13) })
        : svg("path", { class: "stone", d: `M${at(rock) - width * 0.45} ${ground + 20} q${width * 0.06} -24 ${width * 0.3} -21 h${width * 0.3} q${width * 0.24} -3 ${width * 0.3} 21 z` }),
      svg("text", { class: "number", x: at(rock) - (lily ? 10 : 0), y: ground + 16 }, String(rock)),
      lily && svg("text", { class: "note", x: at(rock) + 9, y: ground + 15 }, "≤ 2"),
      rock === pond.sunRock && svg("circle", { class: "little-sun", cx: at(rock) + 15, cy: ground + 11, r: 5 }),
      ghosts,
      plan.length === 0 && svg("text", { class: "note", x: at(rock), y: water + 20 }, "empty"),
    );
    return { element, ghosts };
  }

  const topOf = (rock) => turtles[(Number.isInteger(rock) && shown().state.piles[rock]?.at(-1)) - 1];
  const places = new Map(); // where each turtle rests
  const pairing =
    play &&
    pairs(drawing, {
      chosen(rock, point) {
        const targets = shown().legalActions.filter((action) => action.type === "MOVE" && action.from === rock);
        rocks.forEach(({ element }, place) => {
          element.classList.toggle("chosen", place === rock);
          element.classList.toggle("open", targets.some((action) => action.to === place));
        });
        turtles.forEach((turtle) => {
          turtle.classList.remove("held");
          put(turtle, ...places.get(turtle));
        });
        const top = rock === null ? null : topOf(rock);
        if (!top) return;
        top.classList.toggle("held", point !== null);
        const [x, y] = places.get(top);
        if (point) put(top, point.x, point.y + PITCH / 2);
        else put(top, x, y - 12);
      },
      done: (from, to) => play({ type: "MOVE", from, to }),
    });

  return {
    topOf,
    key: (event) => pairing.key(event),

    place({ state, report }, animated) {
      state.piles.forEach((pile, rock) => {
        pile.forEach((turtle, level) => {
          const [x, y] = [at(rock), ground - level * PITCH];
          const drawn = turtles[turtle - 1];
          const [oldX, oldY] = places.get(drawn) ?? [x, y];
          places.set(drawn, [x, y]);
          put(drawn, x, y);
          if (animated && (oldX !== x || oldY !== y)) hop(drawn, [oldX, oldY], [x, y]);
        });
        const plan = pond.plan[rock];
        const met = plan.findIndex((turtle, level) => pile[level] !== turtle);
        rocks[rock].ghosts.forEach((ghost, level) => ghost.classList.toggle("met", met < 0 || level < met));
        rocks[rock].element.classList.toggle("settled", met < 0 && plan.length === pile.length);
        if (play) rocks[rock].element.setAttribute("aria-label", spoken(state, rock));
      });
      sink(state, report);
    },
  };

  /** The sun's way goes by the share of Daylight that is left of what there was when the pond opened. */
  function sink({ daylight, spent, outcome }, report) {
    const gone = spent / Math.max(1, daylight + spent);
    const set = outcome === "sunset";
    const angle = (set ? 1 : gone * 0.9) * (Math.PI / 2);
    put(sun, 34 + Math.sin(angle) * (size.x - 68), 34 + (1 - Math.cos(angle)) * (ground - 14));
    sun.lastChild.textContent = daylight;
    sun.classList.toggle("last", Boolean(report?.lastLight));
    dusk.style.opacity = set ? 1 : gone * 0.75;
  }

  /** Over the top of whatever is between. */
  function hop(turtle, [fromX, fromY], [toX, toY]) {
    if (still()) return;
    const height = Math.min(fromY, toY) - 34;
    const frames = [[fromX, fromY], [fromX + (toX - fromX) * 0.15, height], [fromX + (toX - fromX) * 0.85, height], [toX, toY]];
    turtle.animate(
      frames.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` })),
      { duration: 420, easing: "ease-in-out" },
    );
  }
}

/** A round leaf seen from the side, with a notch. */
function leaf(x, y, across, down) {
  return `M${x + across * 0.55} ${y} L${x + across * 0.94} ${y - down * 0.34} A${across} ${down} 0 1 0 ${x + across * 0.98} ${y + down * 0.2} z`;
}

/** A band from one height to another that is there on all sides of the drawing, whatever shape its place on the page has. */
function wide(top, bottom) {
  return { x: -WIDE, y: top, width: 2 * WIDE, height: bottom - top };
}

/** A few quiet strokes on the water. */
function ripples(width, top, bottom) {
  const strokes = [];
  for (let y = top + 16, row = 0; y < bottom - 6; y += 26, row += 1) {
    for (let x = (row % 2) * 70 - 700; x < width + 700; x += 140) strokes.push(`M${x} ${y} q10 -4 20 0 t20 0`);
  }
  return strokes.join(" ");
}

/** What a rock says to those who do not see it. */
function spoken({ piles, pond }, rock) {
  const list = (turtles) => (turtles.length ? turtles.join(", ") : "empty");
  const kind = [rock === pond.sunRock && "the Sun Rock", rock === pond.lilyPad && "a lily pad, holds 2"].filter(Boolean);
  return [`Rock ${rock}${kind.length ? ` (${kind.join(", ")})` : ""}`, `now ${list(piles[rock])}`, `plan ${list(pond.plan[rock])}`].join("; ");
}

function shellWidth(size) {
  return 32 + 5.5 * size;
}

/** A turtle seen from the side, its feet on the point 0, 0; the number stands on its shell. */
function shell(turtle) {
  const { size, grandshell } = turtle;
  return [
    ...body(turtle),
    svg("circle", { class: "badge", cy: -12, r: 9.5 }),
    svg("text", { y: -6 }, String(size)),
    grandshell && [-18, -29].map((cx) => svg("circle", { class: "little-sun", cx, cy: -11, r: 5 })),
    svg("title", {}, `Turtle ${size}, ${turtle.shell} shell${grandshell ? ", the Grandshell: 2 Daylight a move" : ""}`),
  ];
}

function body({ size, shell, grandshell }) {
  const half = shellWidth(size) / 2 - 5;
  const dome = `M${-half} -3 C${-half} -17 ${-half * 0.6} -23.5 0 -23.5 S${half} -17 ${half} -3 z`;
  return [
    svg("path", { class: "skin", d: `M${half - 8} -4 q4 -11 11 -10 q6 1 5 6 q-1 4 -7 4 z` }),
    svg("circle", { class: "eye", cx: half + 4, cy: -10, r: 1.3 }),
    svg("path", { class: "skin", d: `M${-half} -6 l-5 3 l6 1 z M${-half + 6} -4 h10 q1 4 -2 4 h-6 q-3 0 -2 -4 z M${half - 16} -4 h10 q1 4 -2 4 h-6 q-3 0 -2 -4 z` }),
    svg("path", { class: `shell ${shell}${grandshell ? " grand" : ""}`, d: dome }),
    svg("path", { class: "pattern", d: dome, fill: `url(#${shell})` }),
  ];
}

/** Colour alone tells too little: moss is dotted, amber is striped, slate is ringed. */
function patterns() {
  const tile = (id, side, ...marks) => svg("pattern", { id, width: side, height: side, patternUnits: "userSpaceOnUse" }, ...marks);
  return svg(
    "defs",
    {},
    tile("moss", 8, svg("circle", { cx: 4, cy: 4, r: 1.6 })),
    tile("amber", 7, svg("path", { d: "M0 7 7 0", class: "stroked" })),
    svg("linearGradient", { id: "evening", x2: 0, y2: 1 }, svg("stop", { class: "high", offset: 0.9 }), svg("stop", { class: "low", offset: 1 })),
    tile("slate", 12, svg("path", { d: "M0 6h12M6 0v12", class: "stroked" })),
  );
}

/** An arrow for every way that is open while the way back is closed: straight to a neighbour, in a bow to others. */
function currents(lanes, at, y) {
  const arrows = [];
  lanes.forEach((row, from) =>
    row.forEach((open, to) => {
      if (!open || lanes[to][from]) return;
      const side = Math.sign(to - from);
      const [start, end] = [at(from) + side * 12, at(to) - side * 12];
      const bow = Math.abs(to - from) > 1 ? 30 : 0;
      const y0 = bow ? y + 8 : y;
      arrows.push(svg("path", { d: `M${start} ${y0} C${start + side * 20} ${y0 + bow} ${end - side * 20} ${y0 + bow} ${end} ${y0}`, "marker-end": "url(#flow)" }));
    }),
  );
  const tip = svg("marker", { id: "flow", viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 5, markerHeight: 5, orient: "auto" }, svg("path", { class: "tip", d: "M0 0 10 5 0 10z" }));
  return svg("g", { class: "creek" }, svg("title", {}, "The creek flows one way only"), svg("defs", {}, tip), arrows);
}
