/**
 * Choosing one place and then another: by two taps, by a drag, or from the keyboard.
 *
 * Places are the elements of `drawing` with `data-place`, numbered from 0. `chosen(place, point)` is told whenever a place is
 * picked up (and where it is being dragged to, in the drawing's units), with null when it is let go; `done(from, to)` when
 * the second place is there.
 */

import { pointIn } from "./dom.js";

const DRAG = 8; // pixels before a press is a drag

export function pairs(drawing, { chosen, done }) {
  let first = null;
  let press = null;
  let dragged = false; // and the click that ends a drag is not a tap

  function choose(place, point = null) {
    first = place;
    chosen(place, point);
  }

  function tap(place) {
    if (first === null) return choose(place);
    const from = first;
    choose(null);
    if (from !== place) done(from, place);
  }

  drawing.addEventListener("pointerdown", (event) => {
    const place = placeOf(event.target);
    if (dragged) choose(null); // a second finger ends what the first one did
    press = place === null || event.button !== 0 || !event.isPrimary ? null : { place, x: event.clientX, y: event.clientY };
    dragged = false;
  });

  drawing.addEventListener("pointermove", (event) => {
    if (!press || !event.buttons || !event.isPrimary) return;
    if (!dragged && Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG) {
      dragged = true;
      drawing.setPointerCapture(event.pointerId);
    }
    if (dragged) choose(press.place, pointIn(drawing, event));
  });

  drawing.addEventListener("pointerup", (event) => {
    if (!press || !dragged || !event.isPrimary) return;
    const [from, to] = [press.place, placeOf(document.elementFromPoint(event.clientX, event.clientY))];
    press = null;
    choose(null);
    if (to !== null && to !== from) done(from, to);
  });

  drawing.addEventListener("pointercancel", () => {
    press = null;
    choose(null);
  });

  // A tap is a click, so that it works for those who press without a pointer.
  drawing.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (place !== null && !dragged) tap(place);
    dragged = false;
  });

  return {
    tap,

    /** Whether the key meant something here. */
    key(event) {
      const place = placeOf(document.activeElement);
      if (event.key === "Escape" && first !== null) return choose(null), true;
      if ((event.key === "Enter" || event.key === " ") && place !== null) return tap(place), true;
      if (/^[0-9]$/.test(event.key) && find(drawing, Number(event.key))) return tap(Number(event.key)), true;
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined) return false;
      const next = find(drawing, place === null ? 0 : place + step);
      next?.focus();
      return true;
    },
  };
}

function placeOf(element) {
  const found = element?.closest?.("[data-place]");
  return found ? Number(found.dataset.place) : null;
}

function find(drawing, place) {
  return drawing.querySelector(`[data-place="${place}"]`);
}
