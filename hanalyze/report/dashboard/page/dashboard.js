// The page with filters, key numbers, figures and lists. Names from logs are inserted as text, never as HTML.
"use strict";

const state = { players: null, variant: null, player: null };
const SLICE = 40; // milliseconds

function palette() {
  const colours = coloursOf(DATA.colours);
  for (const [name, [of, alpha]] of Object.entries(DATA.aliases)) colours[name] = colours[of] + alpha;
  return colours;
}

function keyNumber(key, cells) {
  const [sums] = sumsOf(key.name, cells);
  if (!sums?.y) return null;
  const ends = estimate(sums, key.share);
  const [value, low, high] = ends.map((end) => (end === null ? null : shown(end * key.scale, key.decimals) + key.unit));
  const none = sums.n < FEWEST_GAMES ? `under ${FEWEST_GAMES} games` : "";
  return { value, interval: low === null ? none : `${low} to ${high}`, x: count(sums.x), y: count(sums.y), sums };
}

// A key number as a figure with one row, whose list is that of its count.
const asKey = ({ name, title }) => ({ title, counts: [name], rows: "rates", panels: [], isKey: true });

function drawKeys(filtered) {
  const cells = chosenCells(state);
  const all = chosenCells({ players: null, variant: null, player: null });
  $("keys").replaceChildren(...DATA.key_numbers.map((key) => {
    const mine = keyNumber(key, cells), whole = keyNumber(key, all);
    const need = key.beside && keyNumber({ ...key, name: key.beside }, cells);
    const slots = { ...mine, beside: need ? need.value : "–" };
    const note = mine ? words(key.note, slots) : "no such game";
    const compared = filtered && mine && whole ? `; all games ${whole.value}` : "";
    const open = () => openBehind(asKey(key), mine.sums);
    const value = mine ? [element("button", { type: "button", className: "open", onclick: open },
      element("b", {}, mine.value)), " ", element("span", {}, mine.interval)] : ["–"];
    return element("div", { className: "key", id: `key-${key.name}` },
      element("div", { className: "name" }, key.title), element("div", { className: "value" }, ...value),
      element("div", { className: "note" }, note + compared));
  }));
}

// Sentences appear immediately. Figures are drawn a few at a time, visible figures first, so that the page stays
// usable.
let drawing = 0;

function drawFigures(games) {
  const mine = ++drawing;
  const main = document.querySelector("main");
  main.setAttribute("aria-busy", "true");
  const asked = games < FEW ? [] : askedOf(state);
  const claims = claimsOf(asked);
  $("claims").textContent = words(DATA.claimed, { weighed: count(claims.weighed), made: count(claims.made) });
  const rowsOf = new Map(asked.map(([question, rows]) => [question.name, judged(rows, claims)]));
  const colours = palette();
  const widths = new Map(DATA.questions.map(({ name }) => [name, $(`figure-${name}`).clientWidth]));
  const paintOf = (question) => writeFigure(question, games, rowsOf.get(question.name) ?? [], claims.level,
    widths.get(question.name), colours);
  const waiting = DATA.questions.map((question) => [question.name, paintOf(question)]).filter(([, paint]) => paint);
  const isInSight = new Map(waiting.map(([name]) => {
    const { top, bottom } = $(name).getBoundingClientRect();
    return [name, bottom > 0 && top < window.innerHeight];
  }));
  waiting.sort(([one], [other]) => isInSight.get(other) - isInSight.get(one));
  const next = () => {
    if (mine !== drawing) return; // another choice was made
    if (!window.Plotly) startPlotly();
    const began = performance.now();
    do waiting.shift()?.[1](); while (waiting.length && performance.now() - began < SLICE);
    if (waiting.length) setTimeout(next);
    else main.setAttribute("aria-busy", "false");
  };
  if (window.Plotly) next();
  else requestAnimationFrame(() => setTimeout(next));
}

// Writes which games or decisions of the chosen player the page and each figure count.
function writeScopes() {
  const player = DATA.players[state.player];
  const isShared = DATA.keys.player[state.player] === null;
  const write = (id, scope) => {
    $(id).hidden = state.player === null || !scope;
    $(id).textContent = $(id).hidden ? "" : ofPlayer(scope, player, isShared);
  };
  write("scope", "page");
  for (const question of DATA.questions) write(`scope-${question.name}`, question.scope);
}

function draw() {
  const games = gamesOf(chosenCells(state));
  const few = (text, ...nodes) => element("span", { className: "few" }, text, ...nodes);
  $("count").replaceChildren(element("b", {}, count(games)), ` of ${count(DATA.games)} games`,
    games < 100 ? few(" few games, so differences are uncertain") : "",
    ...missing.map((name) => few(" not in this database: ", element("bdi", {}, name))));
  writeScopes();
  drawKeys(Object.values(state).some((value) => value !== null));
  drawFigures(games);
  for (const button of $("sizes").children) {
    button.setAttribute("aria-pressed", String(button.dataset.size === String(state.players ?? "")));
  }
  $("variant").value = state.variant ?? "";
  $("player").value = state.player ?? "";
}

function change(name, value) {
  state[name] = value === "" ? null : Number(value);
  missing = [];
  const hash = Object.keys(state).filter((key) => state[key] !== null).map(inAddress).join("&");
  history.pushState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  draw();
}

// The address has names, because numbers change when the page is rebuilt: #players=3&player=Ann. If a name has only
// digits, its first digit is escaped; `player` or `variant` without a value stands for the names that share a cell.
function inAddress(name) {
  if (name === "players") return `players=${state.players}`;
  const key = DATA.keys[name][state[name]];
  if (key === null) return name;
  return `${name}=${/^\d+$/.test(key) ? `%3${key}` : encodeURIComponent(key)}`;
}

// Names in the address that the page does not have.
let missing = [];

function fromAddress() {
  missing = [];
  Object.assign(state, { players: null, variant: null, player: null });
  for (const part of location.hash.slice(1).split("&")) {
    const [name, value = null] = part.split(/=(.*)/s);
    if (name === "players" && DATA.sizes.includes(Number(value))) state.players = Number(value);
    if (!Object.hasOwn(DATA.keys, name) || /^\d+$/.test(value)) continue;
    const key = value === null ? null : unescaped(value);
    const found = DATA.keys[name].indexOf(key);
    if (found >= 0) state[name] = found;
    else if (key !== null) missing.push(key);
  }
}

function build() {
  const sizeButton = (size) => element("button",
    { type: "button", "data-size": size, onclick: () => change("players", size) }, size === "" ? "All" : String(size));
  $("sizes").append(...["", ...DATA.sizes].map(sizeButton));
  for (const [name, names] of [["variant", DATA.variants], ["player", DATA.players]]) {
    const options = names.map((text, i) => element("option", { value: i }, text));
    $(name).append(element("option", { value: "" }, `All ${name}s`), ...options);
    $(name).onchange = (event) => change(name, event.target.value);
  }
  for (const question of DATA.questions) buildFigure(question);
  // The address has the filters, so links of the contents must not change it.
  for (const link of document.querySelectorAll("#contents a")) {
    link.onclick = (event) => {
      event.preventDefault();
      const target = $(link.hash.slice(1));
      target.scrollIntoView();
      target.focus({ preventScroll: true });
    };
  }
  const wide = matchMedia("(min-width:1320px)");
  const unfold = () => { $("contents").open = wide.matches; };
  wide.addEventListener("change", unfold);
  unfold();
  listen(draw);
}

document.addEventListener("DOMContentLoaded", async () => {
  await unpack();
  build();
  fromAddress();
  draw();
  window.addEventListener("hashchange", () => { fromAddress(); draw(); });
});
