/**
 * A run as a tree of positions: every answer is kept, so any of them can be looked at and played on in another way.
 *
 * A position has the `action` that led to it from its `parent` (the start has none), the `answer` that shows it, its `depth`, and
 * the `ways` on from it, of which `way` is the one last taken. A `refusal` is the answer to an action that changed nothing;
 * such a position shows what its parent shows.
 */

export class Run {
  #line = null;

  constructor(answer) {
    this.seed = answer.seed;
    this.start = position(null, null, answer, null);
    this.here = this.start;
  }

  /** The position to which an action and its answer lead from another, on a way that is there already or on a new one. */
  add(from, action, answer) {
    const spelt = JSON.stringify(action);
    let way = from.ways.findIndex((next) => JSON.stringify(next.action) === spelt);
    if (way < 0) {
      const refusal = answer.ok ? null : answer;
      way = from.ways.push(position(from, action, refusal ? from.answer : answer, refusal)) - 1;
    }
    from.way = way;
    this.#line = null;
    return from.ways[way];
  }

  /** Look at a position. */
  go(to) {
    for (let place = to; place.parent; place = place.parent) {
      const way = place.parent.ways.indexOf(place);
      if (place.parent.way !== way) this.#line = null;
      place.parent.way = way;
    }
    this.here = to;
  }

  /** Look at the next of the ways that lead on from the parent of a position. */
  turn({ parent }) {
    this.go(parent.ways[(parent.way + 1) % parent.ways.length]);
  }

  /** The positions from the start along the ways last taken; `depth` is the place of each. */
  line() {
    if (!this.#line) {
      this.#line = [];
      for (let place = this.start; place; place = place.ways[place.way]) this.#line.push(place);
    }
    return this.#line;
  }
}

function position(parent, action, answer, refusal) {
  return { parent, action, answer, refusal, depth: parent ? parent.depth + 1 : 0, ways: [], way: 0 };
}
