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
  for (const [entry, where] of entries(text)) take(told, entry, where);
  if (!told.actions.length) throw new Unreadable("There is no action in it. A line of a transcript looks like {\"action\": {\"type\": …}}.");
  if (told.actions.length > MOST || JSON.stringify(told.actions).length > LONGEST) {
    throw new Unreadable(`It has ${told.actions.length} actions; ${MOST}, in ${LONGEST} characters, are the most that can be watched.`);
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
  if (typeof game === "string") told.game ??= game;
  if (Number.isInteger(seed)) told.seed ??= seed;
  if (action !== undefined) told.actions.push(action);
  else if (Array.isArray(actions)) told.actions.push(...actions);
  else if (type !== undefined) told.actions.push(entry);
  else if (game === undefined && seed === undefined && ok === undefined) {
    throw new Unreadable(`${where} has neither an "action" nor a "seed".`);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
