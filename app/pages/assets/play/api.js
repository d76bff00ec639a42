/** The public API, as any client calls it. */

/** What kept an answer from coming: the server's reason, or that there was none. */
export class Failure extends Error {}

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
  let answer;
  try {
    answer = await (await fetch(address, options)).json();
  } catch {
    throw new Failure("The server did not answer. Nothing is lost: try again.");
  }
  if (answer.code) throw new Failure(answer.reason);
  return answer;
}
