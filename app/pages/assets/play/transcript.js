/**
 * What an agent did, read from its transcript: JSON lines, each an action, or an object with an `action`, or one that names
 * the `seed` and the `game`; `{"seed": 7, "actions": [...]}` and a list of actions are taken as well. Answers in between are passed over.
 */

export class Unreadable extends Error {}

const MOST = 10000; // actions
const LONGEST = 1 << 20; // characters of them, as JSON

/** `{game, seed, actions}`, where game and seed are null if the transcript does not name them. */
export function read(text) {
  const told = { game: null, seed: null, actions: [] };
  for (const [entry, where] of entries(text.replace(/^\uFEFF/, ""))) take(told, entry, where);
  const { length } = told.actions;
  if (!length) throw new Unreadable('There is no action in it. A line of a transcript looks like {"action": {"type": …}}.');
  if (length > MOST || JSON.stringify(told.actions).length > LONGEST) {
    throw new Unreadable(`It has ${length} actions; ${MOST}, in ${LONGEST} characters, are the most that can be watched.`);
  }
  return told;
}

function* entries(text) {
  const whole = parsed(text);
  if (Array.isArray(whole)) {
    for (const [place, entry] of whole.entries()) yield [entry, `Entry ${place + 1}`];
  } else if (whole !== undefined) {
    yield [whole, "It"];
  } else {
    for (const [place, line] of text.split(/\r?\n/).entries()) {
      if (line.trim()) yield [parsed(line), `Line ${place + 1}`];
    }
  }
}

function take(told, entry, where) {
  if (entry === null || typeof entry !== "object" || Array.isArray(entry)) throw new Unreadable(`${where} is no JSON object.`);
  const { game, seed, action, actions, type, ok } = entry;
  if (typeof game === "string") one(told, "game", game, where);
  if (Number.isInteger(seed)) one(told, "seed", seed, where);
  if (action !== undefined) told.actions.push(action);
  else if (Array.isArray(actions)) told.actions = told.actions.concat(actions);
  else if (type !== undefined) told.actions.push(entry);
  else if (game === undefined && seed === undefined && ok === undefined) {
    throw new Unreadable(`${where} has neither an "action" nor a "seed".`);
  }
}

function one(told, key, value, where) {
  if (told[key] !== null && told[key] !== value) {
    throw new Unreadable(`${where} begins another run, of ${key} ${JSON.stringify(value)}: one run can be watched at a time.`);
  }
  told[key] = value;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
