/**
 * A run in an address: `?seed=7#run=…`, where `run` is the list of actions as JSON, deflated (raw) and written in URL-safe base64.
 * `at` is the number of actions before the position that is shown, the last one where it is left out; `play` starts from there.
 */

const MOST = 1 << 20; // bytes of JSON: as much as a server verifies

export async function write(seed, actions, at, play = false) {
  const hash = new URLSearchParams();
  if (actions.length) hash.set("run", await pack(JSON.stringify(actions)));
  if (at !== actions.length) hash.set("at", at);
  if (play) hash.set("play", "");
  return `?seed=${seed}${String(hash) && `#${hash}`}`;
}

/** Whether a hash may hold a run: one that is there to scroll to a place does not. */
export function holds(hash) {
  return hash === "" || /[#&](run|at|play)\b/.test(hash);
}

/** The parts of an address's hash. Throws where `run` is none. */
export async function read(hash) {
  const parts = new URLSearchParams(hash.slice(1));
  const actions = parts.has("run") ? JSON.parse(await unpack(parts.get("run"))) : [];
  if (!Array.isArray(actions)) throw new Error("no list");
  const at = /^\d+$/.test(parts.get("at") ?? "") ? Math.min(Number(parts.get("at")), actions.length) : actions.length;
  return { actions, at, play: parts.has("play") };
}

async function pack(text) {
  const packed = new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  const bytes = new Uint8Array(await packed.arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpack(letters) {
  const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const parts = [];
  let size = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).text();
    size += value.length;
    if (size > MOST) throw new Error("too long");
    parts.push(value);
  }
}
