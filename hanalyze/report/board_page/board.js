// The page: filters, key numbers, figures, lists. Strangers' words go into it as text, never as HTML.
"use strict";

const $ = (id) => document.getElementById(id);

function element(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name in node && name !== "list") node[name] = value; else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

// A sentence with **strong** words; what is filled in is text.
function sentence(template, values = {}) {
  const node = document.createDocumentFragment();
  template.split(/(\*\*.*?\*\*)/).forEach((part) => {
    const strong = part.startsWith("**");
    const text = (strong ? part.slice(2, -2) : part).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
    node.append(strong ? element("b", {}, text) : text);
  });
  return node;
}

const SAY = {
  scores(question, rows) {
    const of = rows[0].y, perfect = rows.find((row) => row.label === "0");
    const near = rows.filter((row) => row.label === "1" || row.label === "2").reduce((sum, row) => sum + row.x, 0);
    return ["**{a}%** were perfect ({low} to {high}), another **{b}%** ended one or two points short. {n} games, in per cent.",
      { a: shown(perfect.value, 0), low: shown(perfect.low, 0), high: shown(perfect.high, 0), b: shown(100 * near / of, 0), n: count(of) }];
  },
  top(question, rows) {
    const say = question.say, panel = say.panel;
    const some = rows.filter((row) => !panel || row.panel === panel).sort((a, b) => b.value - a.value);
    if (!some.length || !some[0].x) return ["Nothing was found.", {}];
    const [first, second] = some;
    if (!second) return ["Nothing to compare: {a}, {b} {c}.", { a: first.label, b: shown(first.value, question.decimals), c: question.unit }];
    const clear = first.low !== null && some.slice(1).every((row) => first.low > (row.high ?? row.value));
    const low = (row) => (row ? row.panel.toLowerCase() : "");
    return [clear ? say.text : say.tie, { label: first.label, panel: low(first), value: shown(first.value, question.decimals), low: shown(first.low, question.decimals),
      high: shown(first.high, question.decimals), n: count(first.y), label2: second.label, panel2: low(second), value2: shown(second.value, question.decimals) }];
  },
  row(question, rows) {
    const row = rows.find((one) => one.label === question.say.label);
    if (!row) return ["", {}];
    return [row.x ? question.say.text : question.say.none, { value: shown(row.value, question.decimals), low: shown(row.low, question.decimals), high: shown(row.high, question.decimals), x: count(row.x), y: count(row.y) }];
  },
  trend(question, rows) {
    const some = rows.filter((row) => (!question.say.panel || row.panel === question.say.panel) && row.n >= 20 && row.low !== null);
    if (some.length < 2) return ["Too few to compare.", {}];
    const a = some[0], b = some[some.length - 1];
    const top = some.reduce((one, row) => (row.value > one.value ? row : one)), bottom = some.reduce((one, row) => (row.value < one.value ? row : one));
    const above = (row, other) => row.low > other.high;
    const kind = question.say.peak && above(top, a) && above(top, b) ? "peak" : question.say.dip && above(a, bottom) && above(b, bottom) ? "dip"
      : above(b, a) ? "up" : above(a, b) ? "down" : "tie";
    const far = kind === "dip" ? bottom : top, said = (row) => shown(row.value, question.decimals);
    return [question.say[kind], { label: far.label, value: said(far), label1: a.label, value1: said(a), label2: b.label, value2: said(b) }];
  },
  pool(question, rows) {
    const panels = new Map(rows.map((row) => [row.panel, row.y]));
    const of = [...panels.values()].reduce((a, b) => a + b, 0);
    if (!of) return ["There was none.", {}];
    const x = rows.filter((row) => row.label === question.say.label).reduce((sum, row) => sum + row.x, 0);
    const [low, high] = wilson(x, of);
    return [question.say.text, { value: shown(100 * x / of, 0), low: shown(100 * low, 0), high: shown(100 * high, 0) }];
  },
  curve(question, panels) {
    if (!panels.length) return ["Too few games.", {}];
    const words = panels.map((panel) => {
      const stretch = crossing(panel.rows), name = panel.name.toLowerCase(), kind = panel.short ? `games ${name}` : name;
      if (!stretch) return `in ${kind} never clearly`;
      return stretch[1] === null ? `in ${kind} the need passed what was achieved around **turn ${stretch[0]}**`
        : `in ${kind} the need was above what was achieved from **turn ${stretch[0]}** to **turn ${stretch[1]}**`;
    });
    if (panels.every((panel) => !crossing(panel.rows))) return ["Cards per clue. The need never clearly passed what was achieved.", {}];
    words.sort((a, b) => a.includes("never") - b.includes("never"));
    return [`Cards per clue. ${words[0][0].toUpperCase()}${words.join("; ").slice(1)}.`, {}];
  },
  field(question, rows) {
    const first = rows.filter((row) => row.panel === (question.panels[0] || ""));
    if (!first.length) return ["No player has 20 games that can be compared.", {}];
    if (question.panels.length) {
      const clear = rows.filter((row) => !row.open).length;
      return [clear ? "**{a}** of {n} differences are clear (filled); the rest, open circles, cannot be told from 0." : "None of {n} differences can be told from 0.", { a: clear, n: rows.length }];
    }
    const above = first.filter((row) => row.tone === "good").length, below = first.filter((row) => row.tone === "bad").length;
    return ["**{a}** of {n} clearly above, **{b}** clearly below; open circles cannot be told from 0. Number: games.", { a: above, b: below, n: first.length }];
  },
  matrix(question, rows) {
    const judged = rows.filter((row) => row.value !== null);
    if (!judged.length) return ["No pair has 25 games that can be compared.", {}];
    const clear = judged.filter((row) => row.clear).sort((a, b) => Math.abs(b.value) / b.error - Math.abs(a.value) / a.error)[0];
    if (!clear) return ["No pair of {n} can be told from 0: none does clearly better or worse together than apart.", { n: judged.length }];
    return [`**{a} and {b}** do {v} points ${clear.value > 0 ? "better" : "worse"} together than apart ({n} games).`,
      { a: DATA.players[clear.a], b: DATA.players[clear.b], v: shown(Math.abs(clear.value), 1), n: count(clear.games) }];
  },
  ...SAY_CONVENTIONS,
};

function rowsFor(question, filter) {
  return { field: () => fieldRows(question, filter), matrix: () => pairRows(filter), bands: () => curvePanels(filter),
    usage: () => usageRows(question, filter), worth: () => worthRows(question, filter) }[question.chart]?.() ?? rowsOf(question, filter);
}

// Says what a figure shows; where Plotly has something to draw, returns a function that draws it.
function writeFigure(question, games) {
  const box = $(`figure-${question.name}`), lead = $(`lead-${question.name}`);
  lead.replaceChildren();
  if (question.chart === "ranking") return drawRanking(lead, box);
  if (question.chart === "turns") return drawTurns(lead, box);
  const rows = games < 20 ? [] : rowsFor(question, state);
  if (games < 20) lead.append(`Only ${count(games)} games: too few for a figure.`);
  else if (rows.length || ["field", "matrix", "usage", "worth"].includes(question.chart)) lead.append(sentence(...SAY[question.say.kind](question, rows)));
  else lead.append("Nothing to show here.");
  return () => {
    const drawn = rows.length ? CHARTS[question.chart](question, rows, box.clientWidth) : null;
    if (drawn) {
      Plotly.react(box, drawn.data, drawn.layout, { displayModeBar: false, responsive: false, doubleClick: false, showTips: false });
      const title = lead.previousElementSibling.textContent;
      box.setAttribute("role", "img");
      box.setAttribute("aria-label", title + (/[.?!]$/.test(title) ? " " : ". ") + lead.textContent);
    } else {
      Plotly.purge(box);
      box.replaceChildren();
    }
  };
}

const link = (row, turn) => {
  const name = row.game + (turn === null ? "" : `, turn ${turn}`);
  const links = [];
  if (row.page) links.push(element("a", { href: row.page + (turn === null ? "" : `#turn=${turn + 1}`) }, name));
  if (row.site) {
    links.push(element("a", { href: `${row.site}${turn === null ? "" : `#${turn + 1}`}`, rel: "noopener noreferrer", target: "_blank" }, row.page ? "hanab.live" : name));
  }
  return links.length ? element("span", { className: "links" }, ...links.flatMap((one, i) => (i ? [" · ", one] : [one]))) : element("span", {}, name);
};

function drawRanking(lead, box) {
  const best = listRows("best", state).slice(0, 3), worst = listRows("worst", state).slice(0, 3).reverse();
  const seen = new Set(best.map((row) => row.place));
  const parts = [["Most", best], ["Least", worst.filter((row) => !seen.has(row.key))]];
  box.replaceChildren();
  if (!best.length) { lead.append("No game has 8 clues."); return; }
  const [top] = best;
  lead.append(sentence("The most efficient game got **{a} cards a clue** where {b} were needed.", { a: shown(top.efficiency, 2), b: shown(top.needed, 2) }));
  for (const [title, rows] of parts) {
    if (!rows.length) continue;
    const list = element("ol", { className: "ranking" });
    for (const row of rows) {
      const width = Math.min(100, row.efficiency / Math.max(2, top.efficiency) * 100);
      list.append(element("li", {}, element("span", { className: "number" }, shown(row.efficiency, 2)),
        element("span", { className: "meter" }, element("i", { style: `width:${width}%` }), element("u", { style: `left:${Math.min(100, row.needed / Math.max(2, top.efficiency) * 100)}%` })),
        element("span", { className: "what" }, element("bdi", {}, row.party), ` · ${row.score} of ${row.full} · `, link(row, null))));
    }
    box.append(element("h4", {}, `${title} cards a clue`, element("span", {}, " line: needed at the deal")), list);
  }
}

function drawTurns(lead, box) {
  const rows = listRows("costliest", state);
  box.replaceChildren();
  lead.append(rows.length ? "Turns after which the best possible score fell most." : "No turn lost a point.");
  if (!rows.length) return;
  const body = element("tbody");
  for (const row of rows) {
    const chip = element("span", { className: "card", "data-suit": row.suit ?? "" }, row.card);
    body.append(element("tr", {},
      element("td", { className: "points" }, `${MINUS}${row.points}`),
      element("td", {}, chip, " ", element("b", {}, element("bdi", {}, row.player)), ` ${row.what}`),
      element("td", {}, row.kind), element("td", {}, row.odds), element("td", {}, link(row, row.turn))));
  }
  box.append(element("table", {}, element("thead", {}, element("tr", {}, ...["Points", "What happened", "The holder", "Odds, as the holder knew", "Game"].map((text) => element("th", { scope: "col" }, text)))), body));
}

const KEYS = [
  { name: "perfect", title: "Perfect games", share: true, scale: 100, decimals: 0, unit: "%", note: (s) => `${count(s.x)} of ${count(s.y)}` },
  { name: "short", title: "Points short of perfect", share: false, scale: 1, decimals: 2, unit: "", note: (s) => `${count(s.y)} finished games` },
  { name: "struck", title: "Struck out", share: true, scale: 100, decimals: 1, unit: "%", note: (s) => `${count(s.x)} of ${count(s.y)}` },
  { name: "efficiency", title: "Cards per clue", share: false, scale: 1, decimals: 2, unit: "", note: (s, cells) => {
    const [need] = sumsOf("needed", cells);
    return need.y ? `${shown(need.x / need.y, 2)} needed at the deal` : `${count(s.y)} games`;
  } },
];

function keyNumber(key, cells) {
  const [s] = sumsOf(key.name, cells);
  if (!s || !s.y) return null;
  return { s, numbers: estimate(s, key.share, key.share).map((v) => (v === null ? null : v * key.scale)) };
}

function drawKeys(filtered) {
  const cells = chosenCells(state), all = cellsOf({ players: null, variant: null }, -1);
  $("keys").replaceChildren(...KEYS.map((key) => {
    const mine = keyNumber(key, cells), whole = keyNumber(key, all);
    const box = element("div", { className: "key", id: `key-${key.name}` }, element("div", { className: "name" }, key.title));
    if (!mine) { box.append(element("div", { className: "value" }, "–"), element("div", { className: "note" }, "no such game")); return box; }
    const [value, low, high] = mine.numbers;
    const range = low === null ? "" : `${shown(low, key.decimals)}${key.unit} to ${shown(high, key.decimals)}${key.unit}`;
    const compared = filtered && whole ? `; all games ${shown(whole.numbers[0], key.decimals)}${key.unit}` : "";
    box.append(element("div", { className: "value" }, element("b", {}, `${shown(value, key.decimals)}${key.unit}`), " ", element("span", {}, range)),
      element("div", { className: "note" }, key.note(mine.s, cells) + compared));
    return box;
  }));
}

// Plotly takes longer to start than all the rest: the page can be read before.
function startPlotly() {
  const source = $("plotly"), script = element("script");
  script.textContent = source.textContent;
  source.remove();
  document.head.append(script);
}

// What the figures say is there at once; they are drawn a few at a time, those in sight first, so that the
// page can be read and used meanwhile.
let drawing = 0;
const SLICE = 40; // milliseconds

function drawFigures(games) {
  const mine = ++drawing, main = document.querySelector("main");
  main.setAttribute("aria-busy", "true");
  const waiting = DATA.questions.map((question) => [question.name, writeFigure(question, games)]).filter(([, paint]) => paint);
  const inSight = new Map(waiting.map(([name]) => {
    const { top, bottom } = $(name).getBoundingClientRect();
    return [name, bottom > 0 && top < window.innerHeight];
  }));
  waiting.sort(([one], [other]) => inSight.get(other) - inSight.get(one));
  const next = () => {
    if (mine !== drawing) return; // another choice was made
    if (!window.Plotly) startPlotly();
    const began = performance.now();
    do { waiting.shift()?.[1](); } while (waiting.length && performance.now() - began < SLICE);
    if (waiting.length) setTimeout(next); else main.setAttribute("aria-busy", "false");
  };
  if (window.Plotly) next(); else requestAnimationFrame(() => setTimeout(next));
}

function draw() {
  const cells = chosenCells(state), games = gamesOf(cells);
  const filtered = state.players !== null || state.variant !== null || state.player !== null;
  $("count").replaceChildren(element("b", {}, count(games)), ` of ${count(DATA.games)} games`, games < 100 ? element("span", { className: "few" }, " few: read the intervals") : "",
    ...missing.map((name) => element("span", { className: "few" }, " not here: ", element("bdi", {}, name))));
  drawKeys(filtered);
  drawFigures(games);
  for (const button of $("sizes").children) button.setAttribute("aria-pressed", String(button.dataset.size === String(state.players ?? "")));
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

// The address has names, for numbers mean somebody else when the page is made anew: #players=3&player=Ann. A
// name of digits has its first one escaped; without a name are those that are shown together.
function inAddress(name) {
  if (name === "players") return `players=${state.players}`;
  const key = DATA.keys[name][state[name]];
  if (key === null) return name;
  return `${name}=${/^\d+$/.test(key) ? `%3${key}` : encodeURIComponent(key)}`;
}

// Names in the address that nobody here has.
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

function unescaped(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function build() {
  $("sizes").append(...["", ...DATA.sizes].map((size) => element("button", { type: "button", "data-size": size, onclick: () => change("players", size) }, size === "" ? "All" : String(size))));
  const options = (names, all) => [element("option", { value: "" }, all), ...names.map((name, i) => element("option", { value: i }, name))];
  $("variant").append(...options(DATA.variants, "All variants"));
  $("player").append(...options(DATA.players, "All players"));
  $("variant").onchange = (event) => change("variant", event.target.value);
  $("player").onchange = (event) => change("player", event.target.value);
  let section = null, grid = null;
  for (const question of DATA.questions) {
    if (question.section !== section || !grid) {
      section = question.section;
      grid = element("div", { className: "grid" });
      if (section && section !== question.title) $("figures").append(element("h2", {}, section));
      $("figures").append(grid);
    }
    const details = element("details", {}, element("summary", {}, "What is counted"), element("p", {}, question.definition),
      element("p", { className: "query-name" }, "Query ", element("code", {}, question.queries.map((one) => one.name).join(", "))),
      ...question.queries.map((one) => element("pre", { tabIndex: 0 }, one.text)));
    grid.append(element("section", { className: `panel span${question.span}`, id: question.name }, element("h3", {}, question.title),
      element("p", { className: "lead", id: `lead-${question.name}` }), element("div", { className: "figure", id: `figure-${question.name}` }), details));
  }
  const dark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const label = () => { $("theme").textContent = dark() ? "Light" : "Dark"; };
  $("theme").onclick = () => { document.documentElement.dataset.theme = dark() ? "light" : "dark"; label(); draw(); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { label(); draw(); });
  label();
  let width = window.innerWidth, timer = 0;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    clearTimeout(timer);
    timer = setTimeout(draw, 80);
  });
}

build();
fromAddress();
document.addEventListener("DOMContentLoaded", draw);
window.addEventListener("hashchange", () => { fromAddress(); draw(); });
