/** The list of moves: every position of the line, each a button that goes there. */

import { html } from "../dom.js";

export function moves(list, { name, go, turn }) {
  const items = new WeakMap();

  function item(place, count) {
    const label = place.action === null ? "Start" : name(place.action);
    const gained = place.parent ? place.answer.score - place.parent.answer.score : 0;
    const move = html(
      "button",
      { type: "button", class: place.refusal ? "move refused" : "move", title: place.refusal?.reason },
      html("span", { class: "count" }, String(count)),
      html("span", { class: "label" }, label, place.refusal && html("span", { class: "unseen" }, ", refused")),
      gained ? html("span", { class: "gain" }, `+${gained}`) : false,
    );
    const ways = html("button", { type: "button", class: "ways" });
    move.addEventListener("click", () => go(place));
    ways.addEventListener("click", () => turn(place));
    return { element: html("li", {}, move, ways), move, ways };
  }

  return {
    show(line, here) {
      for (const [count, place] of line.entries()) {
        if (!items.has(place)) items.set(place, item(place, count));
        const { element, move, ways } = items.get(place);
        if (list.children[count] !== element) list.insertBefore(element, list.children[count] ?? null);
        move.toggleAttribute("aria-current", false);
        if (place === here) move.setAttribute("aria-current", "step");
        const others = place.parent?.ways.length ?? 1;
        ways.hidden = others < 2;
        ways.textContent = `${(place.parent?.way ?? 0) + 1}/${others}`;
        ways.setAttribute("aria-label", `Way ${(place.parent?.way ?? 0) + 1} of ${others} from here: show the next`);
      }
      while (list.children.length > line.length) list.lastChild.remove();
      const { offsetTop, offsetHeight } = items.get(here).element;
      if (offsetTop < list.scrollTop || offsetTop + offsetHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = offsetTop - (list.clientHeight - offsetHeight) / 2;
      }
    },
  };
}
