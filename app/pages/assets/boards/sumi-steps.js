/** Sumi Steps: a raked sand garden, and the ink that is drawn through it. */

import { pointIn, put, shake, still, svg } from "../dom.js";

const PLOT = 64;
const EDGE = 10;
const HELD = 1400; // milliseconds for which a finished garden stays in view before the next one

const STEPS = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] };
const ARROWS = new Map([["up", "↑"], ["down", "↓"], ["left", "←"], ["right", "→"]]);
const NAMES = new Map([["undo", "Undo"], ["reset", "Reset"], ["endRun", "End run"]]);

export const keys = [
  ["← → ↑ ↓", "draw; back the way you came lifts the ink"],
  ["Backspace or U", "undo"],
];

export const about =
  "Drag the ink from plot to plot, or tap a plot in line with the head. Every plot once, the stones in order, and the last stone last.";

export function name(action) {
  const { type, direction } = action;
  return type === "step" ? ARROWS.has(direction) && `${ARROWS.get(direction)} ${direction}` : NAMES.get(type);
}

export function facts({ garden, stroke, rows, cols, stonesReached, stones, undos, resets }) {
  return [
    ["Garden", `${garden} of 9`],
    ["Inked", `${stroke.length} of ${rows * cols}`],
    ["Stones", `${stonesReached} of ${stones.length}`],
    ["Undos", undos],
    ["Resets", resets],
  ];
}

export function notes() {
  return [["Clean brush", "undos and resets waste steps, which costs bonus."]];
}

export function tell(report, state, action) {
  const waste = report.wasted ? ` Wasted here: ${report.wasted}.` : "";
  if (report.gardenCompleted !== null) {
    const still = report.stillWater ? " Still Water: not one step of the run was wasted." : "";
    const next = state.phase === "raking" ? ` Garden ${state.garden}: ${state.rows} × ${state.cols} plots, ${state.stones.length} stones.` : "";
    return `Garden ${report.gardenCompleted} is complete: ${report.pointsAwarded} points, ${report.bonus} of them for a clean brush.${still}${next}`;
  }
  if (report.action === "endRun") return `The run is over with ${state.score} points.`;
  if (report.stone !== null) return `Stone ${report.stone}: ${report.pointsAwarded} points.`;
  return `${name(action)}: row ${report.head.row}, column ${report.head.col}.${waste}`;
}

export function board(host, play, say) {
  let scene = null;
  let shown = null;
  let waiting = 0;
  const pen = play && penOf(play, say, () => shown.state.stroke, settle);

  function show(answer) {
    const { seed, garden } = answer.state;
    const drawn = `${seed} ${garden}`;
    if (scene?.drawn !== drawn) {
      scene = { drawn, ...draw(host, answer.state, play) };
      pen?.on(scene.drawing);
    }
    scene.place(answer);
  }

  /** Show the next garden at once where the finished one is still held in view. Whether it was. */
  function settle() {
    if (!waiting) return false;
    clearTimeout(waiting);
    waiting = 0;
    show(shown);
    return true;
  }

  return {
    show(answer, animated) {
      clearTimeout(waiting);
      waiting = 0;
      const before = shown;
      shown = answer;
      if (!animated || !answer.report?.gardenCompleted || before.state.garden === answer.state.garden) return show(answer);
      const finished = { ...before.state, stroke: [...before.state.stroke, answer.report.head] };
      scene.place({ state: finished, legalActions: [] });
      waiting = setTimeout(settle, HELD);
    },
    key(event) {
      const direction = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" }[event.key];
      if (direction && settle()) return true;
      if (direction) return play({ type: "step", direction }), true;
      if (event.key === "Backspace" || event.key.toLowerCase() === "u") return play({ type: "undo" }), true;
      return false;
    },
    refused() {
      shake(scene.drawing.querySelector(".head"));
    },
  };
}

/**
 * Turns a drag or a tap into steps, each from where the head then is. A refused step ends the drag. Back over its own ink the
 * head goes one plot at a time: a tap far away must not waste a row of steps.
 */
function penOf(play, say, stroke, settle) {
  const way = []; // the plots that the pointer came by and the ink did not reach yet
  let last = null; // the newest of them, while the pointer is down
  let walking = false;

  function lift() {
    last = null;
    way.length = 0;
  }

  async function walk() {
    if (walking) return;
    walking = true;
    while (way.length) {
      const [head, behind] = [stroke().at(-1), stroke().at(-2)];
      const direction = between(head, way[0]);
      if (direction === null || (apart(head, way[0]) > 1 && behind && between(head, behind) === direction)) {
        way.shift();
        continue;
      }
      const answer = await play({ type: "step", direction });
      if (!answer || answer.report.gardenCompleted) lift();
    }
    walking = false;
  }

  function toward(drawing, event) {
    const { x, y } = pointIn(drawing, event);
    const plot = { row: Math.floor((y - EDGE) / PLOT), col: Math.floor((x - EDGE) / PLOT) };
    if (last?.row === plot.row && last?.col === plot.col) return;
    last = plot;
    way.push(plot);
    walk();
  }

  return {
    on(drawing) {
      drawing.addEventListener("pointerdown", (event) => {
        lift(); // a second finger ends what the first one did
        if (event.button !== 0 || !event.isPrimary || settle()) return;
        drawing.setPointerCapture(event.pointerId);
        toward(drawing, event);
        const head = stroke().at(-1);
        if (apart(head, last) && !between(head, last)) say("Tap a plot in the row or the column of the head, or drag the ink there.");
      });
      drawing.addEventListener("pointermove", (event) => last && event.buttons && event.isPrimary && toward(drawing, event));
      for (const end of ["pointerup", "pointercancel"]) drawing.addEventListener(end, () => (last = null));
    },
  };
}

function apart(here, there) {
  return Math.abs(there.row - here.row) + Math.abs(there.col - here.col);
}

/** The direction from one plot to another in line with it, or null. */
function between(here, there) {
  const [down, right] = [there.row - here.row, there.col - here.col];
  if ((down === 0) === (right === 0)) return null;
  if (down) return down > 0 ? "down" : "up";
  return right > 0 ? "right" : "left";
}

/** The drawing of one garden. `place` draws the ink. */
function draw(host, { garden, rows, cols, stones, fences }, play) {
  const size = { x: cols * PLOT + 2 * EDGE, y: rows * PLOT + 2 * EDGE };
  const middle = (index) => EDGE + (index + 0.5) * PLOT;
  const point = ({ row, col }) => `${middle(col)},${middle(row)}`;

  const plots = Array.from({ length: rows * cols }, (_, index) => {
    const [row, col] = [Math.floor(index / cols), index % cols];
    return svg("rect", { class: "plot", x: EDGE + col * PLOT + 1.5, y: EDGE + row * PLOT + 1.5, width: PLOT - 3, height: PLOT - 3, rx: 7 });
  });
  const ink = svg("polyline", { class: "ink" });
  const tip = svg("line", { class: "ink", pathLength: 1 });
  const head = svg("g", { class: "head" }, svg("circle", { r: 16 }));
  const pebbles = stones.map(({ number, row, col }) =>
    svg("g", { class: "pebble", transform: `translate(${middle(col)} ${middle(row)})` }, svg("ellipse", { rx: 19, ry: 17 }), svg("text", { y: 6 }, String(number))),
  );
  const open = svg("g", { class: "steps" });
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${size.x} ${size.y}`, class: "sumi-steps", role: "img", "aria-label": `Garden ${garden} of Sumi Steps` },
    svg("defs", {}, svg("pattern", { id: "raked", width: 8, height: 8, patternUnits: "userSpaceOnUse" }, svg("path", { d: "M0 4h8" }))),
    svg("rect", { class: "sand", width: size.x, height: size.y, rx: 14 }),
    plots,
    svg("rect", { class: "rake", x: EDGE, y: EDGE, width: cols * PLOT, height: rows * PLOT, fill: "url(#raked)" }),
    fences.map(fence),
    ink,
    tip,
    open,
    head,
    pebbles,
  );
  host.replaceChildren(drawing);
  let length = 0;

  /** Bamboo between two plots. */
  function fence([here, there]) {
    const upright = here.row === there.row;
    const [x, y] = [EDGE + (upright ? there.col : here.col) * PLOT, EDGE + (upright ? here.row : there.row) * PLOT];
    const [across, down] = upright ? [0, 1] : [1, 0];
    const far = PLOT - 6;
    const knots = [0.3, 0.7].map((part) => `M${x + across * PLOT * part - down * 5} ${y + down * PLOT * part - across * 5} l${down * 10} ${across * 10}`);
    return svg(
      "g",
      { class: "fence" },
      svg("path", { d: `M${x + across * 6} ${y + down * 6} L${x + across * far} ${y + down * far}` }),
      svg("path", { class: "knot", d: knots.join(" ") }),
    );
  }

  return {
    drawing,
    place({ state: { stroke, phase }, legalActions }) {
      const end = stroke.at(-1);
      const behind = stroke.at(-2) ?? end;
      ink.setAttribute("points", stroke.slice(0, -1).map(point).join(" "));
      for (const [name, value] of Object.entries({ x1: middle(behind.col), y1: middle(behind.row), x2: middle(end.col), y2: middle(end.row) })) {
        tip.setAttribute(name, value);
      }
      if (stroke.length === length + 1 && !still()) tip.animate([{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], 160);
      length = stroke.length;
      put(head, middle(end.col), middle(end.row));
      const inked = new Set(stroke.map(point));
      const bare = stones.find((stone) => !inked.has(point(stone)));
      pebbles.forEach((pebble, place) => {
        pebble.classList.toggle("inked", inked.has(point(stones[place])));
        pebble.classList.toggle("next", stones[place] === bare);
      });
      drawing.classList.toggle("complete", stroke.length === rows * cols && !bare);
      const targets = legalActions.filter((action) => action.type === "step").map(({ direction }) => STEPS[direction]);
      open.replaceChildren(
        ...targets
          .map(([down, right]) => ({ row: end.row + down, col: end.col + right }))
          .filter((plot) => play && phase === "raking" && !inked.has(point(plot)))
          .map((plot) => svg("circle", { cx: middle(plot.col), cy: middle(plot.row), r: 7 })),
      );
    },
  };
}
