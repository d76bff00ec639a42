/** The page on which a game is played: it asks the public API and shows what comes back. */

import { html } from "../dom.js";
import { Failure, act, start } from "./api.js";
import * as link from "./link.js";
import { moves } from "./moves.js";
import { player } from "./player.js";
import { Run } from "./run.js";
import * as transcript from "./transcript.js";

const element = (id) => document.getElementById(id);
const main = element("main");
const { game, slug } = main.dataset;
const board = await import(new URL(main.dataset.board, document.baseURI));

let run = null;
let shown = null; // the position that the board shows
let tasks = Promise.resolve(); // what was asked for is done in order, each from where the one before it led
let pending = 0; // how much of it is left
let loads = 0;
let loading = true;

/** Codes of failures that are about the action alone: in a transcript, one more thing that an agent got wrong. */
const UNREADABLE = new Set(["bad_json", "bad_request", "too_large"]);

const host = element("board");
const surface = board.board(host, play, tell);
const list = moves(element("moves"), {
  name,
  go: (place) => byHand(() => run.go(place)),
  turn: (place) => byHand(() => run.turn(place)),
});
const walk = player(element("player"), { line: () => run?.line() ?? [], here: () => run?.here, go });

/** An action in a few characters, whatever an agent sent. */
function name(action) {
  return (isObject(action) && board.name(action)) || JSON.stringify(action).slice(0, 40);
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Do something after all that was asked for before it. What kept it from being done is told; then it resolves to null. */
function inTurn(task) {
  pending += 1;
  const busy = setTimeout(() => host.setAttribute("aria-busy", true), 400);
  tasks = tasks
    .then(task)
    .catch((problem) => {
      if (!(problem instanceof Failure)) console.error(problem);
      tell(problem.message, "failure");
      return null;
    })
    .finally(() => {
      pending -= 1;
      clearTimeout(busy);
      host.removeAttribute("aria-busy");
    });
  return tasks;
}

/** Play an action from the position that is shown. The answer, or null where there is none or it was refused. */
function play(action) {
  if (loading) return Promise.resolve(null);
  walk.pause();
  return inTurn(async () => {
    const [mine, from] = [run, run.here];
    const answer = await act(game, from.answer, action);
    if (run !== mine) return null;
    const looking = run.here === from; // and not, meanwhile, at another position
    if (answer.ok) {
      const place = run.add(from, action, answer);
      if (looking) run.go(place);
      show();
    } else if (looking) {
      refuse(answer, action);
    }
    return answer.ok ? answer : null;
  });
}

function refuse({ reason }, action) {
  tell(reason, "refusal");
  if (isObject(action)) surface.refused(action);
}

function go(place) {
  if (loading) return;
  run.go(place);
  show();
}

function byHand(move) {
  if (loading) return;
  walk.pause();
  move();
  show();
}

function show() {
  const { here } = run;
  const { answer, action, refusal, parent } = here;
  const focused = host.contains(document.activeElement);
  surface.show(answer, parent !== null && parent === shown && !refusal);
  if (focused && !host.contains(document.activeElement)) host.focus({ preventScroll: true }); // its place was drawn anew
  shown = here;
  const facts = [["Score", answer.score], ...board.facts(answer.state)];
  element("facts").replaceChildren(...facts.map(([term, text, title]) => html("div", { title }, html("dt", {}, term), html("dd", {}, String(text)))));
  element("notes").replaceChildren(...board.notes(answer.state).map(([term, text]) => html("li", {}, html("b", {}, term), ": ", text)));
  main.classList.toggle("ended", answer.gameOver);
  element("over").hidden = !answer.gameOver;
  if (refusal) {
    refuse(refusal, action);
  } else if (parent === null) {
    tell(board.about);
  } else {
    tell(board.tell(answer.report, answer.state, action), answer.score > parent.answer.score ? "gain" : "");
  }
  showCommands(answer);
  const line = run.line();
  list.show(line, here);
  walk.update();
  element("where").textContent = here === line.at(-1) ? "" : `Position ${here.depth} of ${line.length - 1}. Play on from here to take another way.`;
  unfold();
  remember();
}

/** Say what happened. A text that is said twice is heard twice. */
function tell(text, kind = "") {
  const told = element("told");
  told.className = `told ${kind}`;
  told.replaceChildren(html("span", {}, text));
}

/** Buttons for the actions that take no choice; where nothing else is legal, the first legal one is the way on. */
function showCommands({ legalActions }) {
  const legal = legalActions.map((action) => JSON.stringify(action));
  const only = legalActions.every((action) => Object.keys(action).length === 1);
  for (const button of element("commands").children) {
    const place = legal.indexOf(button.dataset.action);
    button.className = place < 0 ? "idle" : only && place === 0 ? "primary" : "";
  }
}

function makeCommands({ examples }) {
  const plain = examples.filter((action) => Object.keys(action).length === 1);
  element("commands").replaceChildren(
    ...plain.map((action) => {
      const button = html("button", { type: "button", "data-action": JSON.stringify(action) }, board.name(action));
      button.addEventListener("click", () => play(action));
      return button;
    }),
  );
}

/** What is folded away is not written. */
function unfold() {
  if (!run) return;
  const { answer, refusal } = run.here;
  if (element("observation").open) element("observation").querySelector("pre").textContent = answer.observation;
  if (element("json").open) element("json").querySelector("pre").textContent = JSON.stringify(refusal ?? answer, null, 2);
}

/** The address of the page is the link to what it shows. It is changed where the page rests: browsers allow it seldom. */
let remembering = 0;
function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(async () => history.replaceState(null, "", await address()), 400);
}

function address() {
  const line = run.line();
  return link.write(run.seed, line.slice(1).map(({ action }) => action), run.here.depth);
}

/** Start the run of the page's address, and play the actions that it holds. Until it is there, nothing else is done. */
function load() {
  const mine = ++loads;
  loading = true;
  walk.pause();
  clearTimeout(remembering);
  return inTurn(async () => {
    if (mine !== loads) return;
    const { search, hash } = location;
    const wanted = await link.read(hash).catch(() => null);
    const fresh = new Run(await start(game, search));
    const problem = wanted ? await playAll(fresh, wanted, mine) : "The address holds a run that cannot be read. Here is a new one.";
    if (mine !== loads) return;
    loading = false;
    run = fresh;
    shown = null;
    makeCommands(run.start.answer.spec);
    element("seed").value = run.seed;
    element("again").href = `?seed=${run.seed}`;
    for (const id of ["share", "save"]) element(id).disabled = false;
    if (wanted) run.go(run.line()[wanted.at] ?? run.line().at(-1));
    show();
    if (problem) {
      clearTimeout(remembering); // the address still holds the whole run
      throw new Failure(problem);
    }
    if (wanted.play) walk.play();
    if (document.activeElement === document.body) host.focus({ preventScroll: true, focusVisible: false });
  });
}

/** Play a list of actions from the start of a run. What ended it early, or null. */
async function playAll(fresh, { actions }, mine) {
  let place = fresh.start;
  for (const [count, action] of actions.entries()) {
    if (mine !== loads) return null;
    if (count % 25 === 0) tell(`Playing the run: ${count} of ${actions.length}.`);
    try {
      place = fresh.add(place, action, await act(game, place.answer, action));
    } catch (problem) {
      if (!UNREADABLE.has(problem.answer?.code)) return `Only ${count} of ${actions.length} actions were played. ${problem.message} Reload this page to go on.`;
      place = fresh.add(place, action, problem.answer);
    }
  }
  return null;
}

async function open(file) {
  const text = await file.text().catch(() => null);
  if (text !== null) return watch(text);
  element("transcript").open = true;
  element("unread").textContent = "That is no file that can be read.";
}

/** Watch a transcript: go to the address that holds it. */
async function watch(text) {
  try {
    const told = transcript.read(text);
    const other = told.game !== null && told.game !== slug;
    if (other && !document.querySelector(`nav a[data-slug="${CSS.escape(told.game)}"]`)) {
      throw new transcript.Unreadable(`It is of the game ${JSON.stringify(told.game).slice(0, 60)}, which is not played here.`);
    }
    const seed = told.seed ?? run?.seed;
    if (seed === undefined) throw new transcript.Unreadable("It names no seed, and there is no run here to take one from.");
    const query = await link.write(seed, told.actions, 0, true);
    element("unread").textContent = "";
    const target = new URL((other ? told.game : slug) + query, location.href);
    if (target.href === location.href) load();
    else location.assign(target);
  } catch (problem) {
    if (!(problem instanceof transcript.Unreadable)) throw problem;
    element("unread").textContent = problem.message;
    element("transcript").open = true;
  }
}

function save() {
  const actions = run.line().slice(1).map(({ action }) => ({ action }));
  const lines = [{ game: slug, seed: run.seed }, ...actions].map((line) => `${JSON.stringify(line)}\n`);
  const href = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
  html("a", { href, download: `${slug}-${run.seed}.jsonl` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60000); // some browsers are still reading it
}

async function share() {
  const url = new URL(await address(), location.href);
  history.replaceState(null, "", url);
  try {
    await navigator.clipboard.writeText(url.href);
    element("shared").textContent = "Copied.";
  } catch {
    element("shared").textContent = "The address of this page is the link.";
  }
}

/** Keys belong to the board while it has the focus. Those that write nothing and press nothing are its own wherever no text is edited. */
function onKey(event) {
  const inside = host.contains(event.target);
  const free = event.key.length > 1 && event.key !== "Enter" && !event.target.closest("input, textarea, select, pre");
  if (loading || event.ctrlKey || event.metaKey || event.altKey || !(inside || free)) return;
  if ((event.repeat && pending > 1) || surface.key(event)) event.preventDefault();
}

for (const [keys, meaning] of board.keys) element("keys").append(html("dt", {}, keys), html("dd", {}, meaning));
element("keys").closest("details").hidden = !board.keys.length;
host.setAttribute("role", board.keys.length ? "application" : "group");
element("observation").addEventListener("toggle", unfold);
element("json").addEventListener("toggle", unfold);
element("save").addEventListener("click", save);
element("share").addEventListener("click", share);
element("watch").addEventListener("click", () => watch(element("lines").value));
element("file").addEventListener("change", async ({ target }) => {
  await open(target.files[0]);
  target.value = ""; // so that the same file can be chosen again
});
document.addEventListener("keydown", onKey);
document.addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault());
document.addEventListener("drop", (event) => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  open(event.dataTransfer.files[0]);
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the hash is the run's
  main.focus();
});
addEventListener("hashchange", () => link.holds(location.hash) && load());
load();
