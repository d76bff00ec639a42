/** Walks along the line: to its ends, one step, or by itself. */

const PACE = 900; // milliseconds a position at speed 1

export function player(controls, { line, here, go }) {
  const [first, back, toggle, forward, end] = controls.querySelectorAll("button");
  const speed = controls.querySelector("select");
  let timer = 0;

  const to = (place) => place && go(place);
  const by = (steps) => to(line()[line().indexOf(here()) + steps]);

  function pause() {
    clearTimeout(timer);
    timer = 0;
    update();
  }

  function tick() {
    by(1);
    if (here() === line().at(-1)) pause();
    else timer = setTimeout(tick, PACE / Number(speed.value));
  }

  function play() {
    pause();
    if (here() === line().at(-1)) to(line()[0]);
    timer = setTimeout(tick, PACE / Number(speed.value));
    update();
  }

  function update() {
    const [places, place] = [line(), here()];
    for (const button of [first, back]) button.disabled = place === places[0];
    for (const button of [forward, end]) button.disabled = place === places.at(-1);
    toggle.disabled = places.length < 2;
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
  toggle.addEventListener("click", () => (timer ? pause() : play()));

  return { play, pause, update };
}
