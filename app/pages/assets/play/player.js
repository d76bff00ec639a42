/** Walks along the line: to its ends, one step, or by itself. */

const PACE = 900; // milliseconds a position at speed 1

export function player(controls, { line, here, go }) {
  const [first, back, toggle, forward, end] = controls.querySelectorAll("button");
  const speed = controls.querySelector("select");
  let timer = 0;

  const to = (place) => place && go(place);
  const by = (steps) => to(line()[here()?.depth + steps]);
  const ended = () => here() === line().at(-1);

  function pause() {
    clearTimeout(timer);
    timer = 0;
    update();
  }

  function tick() {
    timer = setTimeout(tick, PACE / Number(speed.value));
    by(1);
    if (ended()) pause();
  }

  function play() {
    pause();
    if (ended()) to(line()[0]);
    timer = setTimeout(tick, PACE / Number(speed.value));
    update();
  }

  /** A button that leads nowhere says so, and keeps the focus. */
  function update() {
    const [places, place] = [line(), here()];
    const idle = (button, is) => button.setAttribute("aria-disabled", is);
    for (const button of [first, back]) idle(button, place === places[0]);
    for (const button of [forward, end]) idle(button, place === places.at(-1));
    idle(toggle, places.length < 2);
    toggle.classList.toggle("playing", timer !== 0);
    toggle.setAttribute("aria-label", timer ? "Pause" : "Play");
  }

  /** A step by hand ends the walking by itself. */
  function byHand(button, walk) {
    button.addEventListener("click", () => {
      pause();
      walk();
    });
  }

  byHand(first, () => to(line()[0]));
  byHand(back, () => by(-1));
  byHand(forward, () => by(1));
  byHand(end, () => to(line().at(-1)));
  toggle.addEventListener("click", () => (timer || line().length < 2 ? pause() : play()));

  return { play, pause, update };
}
