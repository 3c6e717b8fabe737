// Comments and bookmarks by turn: stored in the browser, in the address, and in a saved page.

const MOST_LETTERS = 2000;
const STORE = `hanalyze ${game.game} ${game.deck.flat().join("")} ${lastTurn}`;
// By turn (from 0): the comment, and 1 for a bookmark, else 0.
const remarks = new Map();
const comment = $("#remarks textarea");
const written = () => [...remarks].map(([turn, said]) => [turn, ...said]).sort(([a], [b]) => a - b);

// Add remarks from elsewhere; two comments on one turn are joined.
function addRemarks(list) {
  for (const [turn, text, marked] of Array.isArray(list) ? list : []) {
    if (!Number.isInteger(turn) || turn < 0 || turn > lastTurn || typeof text !== "string") continue;
    const [own, ownMark] = remarks.get(turn) ?? ["", 0];
    const both = own.includes(text) ? own : text.includes(own) ? text : `${own}\n${text}`;
    remarks.set(turn, [both.slice(0, MOST_LETTERS), marked || ownMark ? 1 : 0]);
  }
}

// The remarks as compressed text for the address.
let packed = "";
const remarksPart = () => (packed ? `&remarks=${packed}` : "");

// This uses a reader, because Firefox reports broken data of a `Response` a second time, outside the promise.
async function through(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function expanded(text, format) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(bytes, new DecompressionStream(format)));
}

async function compressed(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const plain = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// The result of an action, or null if it fails: a browser may refuse to store data, and an address may be cut off.
async function attempt(action) {
  try {
    return await action();
  } catch {
    return null;
  }
}

async function readRemarks() {
  const text = new URLSearchParams(window.location.hash.slice(1)).get("remarks");
  if (!text || text === packed) return;
  addRemarks(await attempt(async () => JSON.parse(await expanded(text, "deflate-raw"))));
  packed = text;
}

async function keepRemarks() {
  const text = JSON.stringify(written());
  await attempt(() => window.localStorage.setItem(STORE, text));
  packed = remarks.size ? await compressed(text) : "";
  writeAddress();
}

function remark(text, marked) {
  const [before, wasMarked] = remarks.get(now.turn) ?? ["", 0];
  const next = [text ?? before, marked ?? wasMarked];
  if (next[0] || next[1]) remarks.set(now.turn, next);
  else remarks.delete(now.turn);
  drawRemarks();
  return keepRemarks();
}

function drawRemarks() {
  const [text, marked] = remarks.get(now.turn) ?? ["", 0];
  if (comment.value !== text) comment.value = text;
  comment.setAttribute("aria-label", `Comment on ${turnWord(now.turn)}`);
  $("#remarks [data-go=bookmark]").setAttribute("aria-pressed", String(Boolean(marked)));
  const rows = written()
    .filter(([turn]) => turn <= horizon())
    .map(([turn, said, bookmark]) => {
      const current = turn === now.turn ? "true" : null;
      const props = { type: "button", class: "row", "data-turn": turn, "aria-current": current };
      const number = el("span", { class: "number" }, turn + 1);
      return el("li", {}, el("button", props, number, bookmark ? glyph("star") : "", el("bdi", {}, said)));
    });
  $("#remarks ol").replaceChildren(...rows);
}

// Download the page with the remarks.
function savePage() {
  const data = el("meta", { name: "remarks", id: "saved", content: JSON.stringify(written()) }).outerHTML;
  const page = loaded.replace(/<meta name="remarks"(?:"[^"]*"|[^">])*>/, () => data);
  const address = URL.createObjectURL(new Blob(["<!doctype html>\n", page], { type: "text/html" }));
  el("a", { href: address, download: `${game.game.replace(/[^\w-]+/g, "-")}-comments.html` }).click();
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

async function copyLink() {
  await attempt(() => window.navigator.clipboard.writeText(window.location.href));
  $("#remarks .tiny").textContent = "The address of this page contains the comments.";
}

comment.addEventListener("input", () => remark(comment.value.slice(0, MOST_LETTERS)));
addRemarks(JSON.parse($("#saved").content));
$("#saved").remove();
await attempt(() => addRemarks(JSON.parse(window.localStorage.getItem(STORE))));
if (remarks.size) packed = await compressed(JSON.stringify(written()));
