/** The list of moves: every position of the line, each a button that goes there. */

import { html } from "../dom.js";

export function moves(list, { name, go, turn }) {
  const items = new WeakMap();
  let listed = [];
  let current = null;

  function item(place) {
    const { parent, action, refusal, answer, depth } = place;
    const gained = parent ? answer.score - parent.answer.score : 0;
    const move = html(
      "button",
      { type: "button", class: refusal ? "move refused" : "move", title: refusal?.reason },
      html("span", { class: "count" }, String(depth)),
      html("span", { class: "label" }, parent ? name(action) : "Start", refusal && html("span", { class: "unseen" }, ", refused")),
      gained ? html("span", { class: "gain" }, `+${gained}`) : false,
    );
    const ways = html("button", { type: "button", class: "ways" });
    move.addEventListener("click", () => go(place));
    ways.addEventListener("click", () => {
      turn(place);
      items.get(parent.ways[parent.way]).ways.focus();
    });
    return { element: html("li", {}, move, ways), move, ways };
  }

  function update(place) {
    if (!items.has(place)) items.set(place, item(place));
    const { element, ways } = items.get(place);
    const [way, others] = [(place.parent?.way ?? 0) + 1, place.parent?.ways.length ?? 1];
    ways.hidden = others < 2;
    ways.textContent = `way ${way} of ${others}`;
    ways.setAttribute("aria-label", `Way ${way} of ${others} from here: show the next`);
    return element;
  }

  return {
    /** Only what changed since the last time is written: a line may be thousands long. */
    show(line, here) {
      let same = 0;
      while (same < listed.length && listed[same] === line[same]) same += 1;
      while (list.children.length > same) list.lastChild.remove();
      list.append(...line.slice(same).map(update));
      listed = line;

      items.get(current)?.move.removeAttribute("aria-current");
      items.get(here).move.setAttribute("aria-current", "step");
      current = here;
      const { offsetTop, offsetHeight } = items.get(here).element;
      if (offsetTop < list.scrollTop || offsetTop + offsetHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = offsetTop - (list.clientHeight - offsetHeight) / 2;
      }
    },
  };
}
