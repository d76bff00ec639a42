/** The public API, as any client calls it. */

const PATIENCE = 20000; // milliseconds

/** What kept an answer from coming. `answer` is what the server said instead, or null if it said nothing. */
export class Failure extends Error {
  constructor(message, answer = null) {
    super(message);
    this.answer = answer;
  }
}

/** A new run. `query` is the query of its address, such as `?seed=7`; the server judges it. */
export function start(game, query) {
  return ask(`${game}/init${query}`);
}

/** The answer to one action on the run that an earlier answer carries. Asking again gives the same answer. */
export function act(game, { stateToken, state }, action) {
  const run = stateToken === undefined ? { state } : { stateToken };
  return ask(`${game}/action`, { method: "POST", body: JSON.stringify({ ...run, action }) });
}

async function ask(address, options) {
  let answer = null;
  try {
    answer = await (await fetch(address, { ...options, signal: AbortSignal.timeout(PATIENCE) })).json();
  } catch {
    // Whatever went wrong on the way, there is no answer.
  }
  if (typeof answer?.ok !== "boolean") throw new Failure("The server did not answer. Nothing is lost: try again.");
  if (answer.code) throw new Failure(answer.reason, answer);
  return answer;
}
