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
let loads = 0;

const host = element("board");
const surface = board.board(host, play);
const list = moves(element("moves"), { name: board.name, go: byHand, turn: (place) => byHand(place, () => run.turn(place)) });
const walk = player(element("player"), { line: () => run?.line() ?? [], here: () => run?.here, go });

function inTurn(task) {
  const done = tasks.then(task);
  tasks = done.catch((problem) => {
    if (!(problem instanceof Failure)) console.error(problem);
    tell(problem.message, "failure");
    return null;
  });
  return tasks;
}

/** Play an action from the position that is shown. The answer, or null where it was refused. */
function play(action) {
  walk.pause();
  return inTurn(async () => {
    const answer = await act(game, run.here.answer, action);
    if (!answer.ok) {
      tell(answer.reason, "refusal");
      surface.refused(action);
      return null;
    }
    run.add(action, answer);
    show();
    return answer;
  });
}

function go(place) {
  run.go(place);
  show();
}

function byHand(place, move = () => run.go(place)) {
  walk.pause();
  move();
  show();
}

function show() {
  const { here } = run;
  const { answer, action, refusal } = here;
  surface.show(answer, here.parent !== null && here.parent === shown && !refusal);
  shown = here;
  const facts = [["Score", answer.score], ...board.facts(answer.state)];
  element("facts").replaceChildren(...facts.map(([term, text]) => html("div", {}, html("dt", {}, term), html("dd", {}, String(text)))));
  element("notes").replaceChildren(...board.notes(answer.state).map((note) => html("li", {}, note)));
  if (refusal) {
    tell(refusal.reason, "refusal");
    surface.refused(action);
  } else {
    tell(action === null ? board.about : board.tell(answer.report, answer.state, action));
  }
  showCommands(answer);
  const line = run.line();
  list.show(line, here);
  walk.update();
  element("where").textContent = here === line.at(-1) ? "" : `Position ${line.indexOf(here)} of ${line.length - 1}. Play on from here to take another way.`;
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

/** The address of the page is the link to what it shows. Browsers allow it a few changes a second. */
let remembering = 0;
function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(async () => history.replaceState(null, "", await address()), 200);
}

function address() {
  const line = run.line();
  return link.write(run.seed, line.slice(1).map(({ action }) => action), line.indexOf(run.here));
}

/** Start the run of the page's address, and play the actions that it holds. */
function load() {
  const mine = ++loads;
  walk.pause();
  clearTimeout(remembering);
  return inTurn(async () => {
    const { search, hash } = location;
    const started = await start(game, search);
    const wanted = await link.read(hash).catch(() => null);
    run = new Run(started);
    shown = null;
    makeCommands(started.spec);
    try {
      for (const [count, action] of wanted?.actions.entries() ?? []) {
        if (mine !== loads) return;
        if (count % 25 === 0) tell(`Playing the run: ${count} of ${wanted.actions.length}.`);
        run.add(action, await act(game, run.here.answer, action));
      }
    } finally {
      if (wanted) run.go(run.line()[Math.min(wanted.at, run.line().length - 1)]);
      show();
    }
    if (!wanted) throw new Failure("The address holds a run that cannot be read. Here is a new one.");
    if (wanted.play) walk.play();
  });
}

/** Watch a transcript: go to the address that holds it. */
async function watch(text) {
  try {
    const told = transcript.read(text);
    const other = told.game !== null && told.game !== slug;
    if (other && !document.querySelector(`nav a[data-slug="${CSS.escape(told.game)}"]`)) {
      throw new transcript.Unreadable(`It is of the game ${JSON.stringify(told.game).slice(0, 60)}, which is not played here.`);
    }
    const query = await link.write(told.seed ?? run.seed, told.actions, 0, true);
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
  URL.revokeObjectURL(href);
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
  if (!run || event.ctrlKey || event.metaKey || event.altKey || !(inside || free)) return;
  if (surface.key(event)) event.preventDefault();
}

for (const [keys, meaning] of board.keys) element("keys").append(html("dt", {}, keys), html("dd", {}, meaning));
element("keys").closest("details").hidden = !board.keys.length;
host.setAttribute("role", board.keys.length ? "application" : "group");
element("observation").addEventListener("toggle", unfold);
element("json").addEventListener("toggle", unfold);
element("save").addEventListener("click", save);
element("share").addEventListener("click", share);
element("watch").addEventListener("click", () => watch(element("lines").value));
element("file").addEventListener("change", async ({ target }) => target.files.length && watch(await target.files[0].text()));
document.addEventListener("keydown", onKey);
document.addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault());
document.addEventListener("drop", async (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  watch(await file.text());
});
addEventListener("hashchange", load);
load();
