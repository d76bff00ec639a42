/**
 * A run as a tree of positions: every answer is kept, so any of them can be looked at and played on in another way.
 *
 * A position has the `action` that led to it, the `answer` that shows it, its `parent`, and the `ways` on from it, of which
 * `way` is the one last taken. A `refusal` is the answer to an action that changed nothing; such a position shows what its parent shows.
 */

export class Run {
  constructor(answer) {
    this.seed = answer.seed;
    this.here = position(null, null, answer, null);
  }

  /** Go on by an action and its answer, on a way that is there already or on a new one. */
  add(action, answer) {
    const spelt = JSON.stringify(action);
    let way = this.here.ways.findIndex((next) => JSON.stringify(next.action) === spelt);
    if (way < 0) {
      const refusal = answer.ok ? null : answer;
      way = this.here.ways.push(position(this.here, action, answer.ok ? answer : this.here.answer, refusal)) - 1;
    }
    this.here.way = way;
    this.here = this.here.ways[way];
  }

  /** Go to a position. */
  go(to) {
    for (let place = to; place.parent; place = place.parent) place.parent.way = place.parent.ways.indexOf(place);
    this.here = to;
  }

  /** Take the next of the ways that led on from the parent of a position. */
  turn({ parent }) {
    this.go(parent.ways[(parent.way + 1) % parent.ways.length]);
  }

  /** The positions from the start through here to the end of the ways last taken. */
  line() {
    const line = [];
    for (let place = this.here; place; place = place.parent) line.unshift(place);
    for (let place = next(this.here); place; place = next(place)) line.push(place);
    return line;
  }
}

export function next(place) {
  return place.ways[place.way];
}

function position(parent, action, answer, refusal) {
  return { parent, action, answer, refusal, ways: [], way: 0 };
}
