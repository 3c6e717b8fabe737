// The puzzles: questions, answers, the next moves, and progress. `boardOf` (quiz/__init__.py) draws a board.

const quiz = JSON.parse(document.getElementById("quiz").textContent);
const $ = (selector, inside = document) => inside.querySelector(selector);
const STORE = "hanalyze-quiz";
const WEAK = 3; // failures that make a theme weak
const STRONG = 3; // right first answers that make a theme strong
const scheduler = window.FSRS.fsrs();

// The current puzzle: its index, board, chosen slot, solution (null until unpacked), and whether it is answered.
const now = { at: 0, board: null, chosen: null, solution: null, done: false };
const puzzle = () => quiz.puzzles[now.at];

// Texts become text nodes, never markup.
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  element.append(...children.flat(4).filter((child) => child !== null && child !== ""));
  return element;
}

// --- progress ------------------------------------------------------------------------------------------

let progress = {};
function readProgress() {
  try {
    progress = checked(JSON.parse(localStorage.getItem(STORE) || "{}"));
  } catch {
    progress = {};
  }
}

// The valid entries of stored progress, by key of the position: the scheduler's record, the theme, the numbers of tries
// and failures, and whether the first answer was right.
function checked(values) {
  const entries = Object.entries(values || {}).filter(
    ([key, one]) => /^[0-9a-f]{16}$/.test(key) && one && one.card && !Number.isNaN(Date.parse(one.card.due)),
  );
  return Object.fromEntries(
    entries.map(([key, one]) => [
      key,
      {
        card: one.card,
        theme: String(one.theme).slice(0, 60),
        tries: Number(one.tries) || 0,
        failures: Number(one.failures) || 0,
        first: one.first === true,
      },
    ]),
  );
}

function storeProgress() {
  try {
    localStorage.setItem(STORE, JSON.stringify(progress));
  } catch {
    /* A browser may refuse to store data of pages from disk. */
  }
}

function record(right) {
  const { Rating, createEmptyCard } = window.FSRS;
  const before = progress[puzzle().key];
  const card = before ? before.card : createEmptyCard();
  const next = scheduler.next(card, new Date(), right ? Rating.Good : Rating.Again).card;
  progress[puzzle().key] = {
    card: next,
    theme: now.solution.theme,
    tries: (before ? before.tries : 0) + 1,
    failures: (before ? before.failures : 0) + (right ? 0 : 1),
    first: before ? before.first : right,
  };
  storeProgress();
  drawResults();
}

// A position for study has no right answer, so nothing is recorded; it is not asked again until a reload.
const studied = new Set();
const isStudy = (one) => one.form === "study";

const isDue = (one) =>
  isStudy(one) ? !studied.has(one.key) : !progress[one.key] || Date.parse(progress[one.key].card.due) <= Date.now();

function drawResults() {
  const themes = new Map();
  for (const { theme, tries, failures, first } of Object.values(progress)) {
    const sum = themes.get(theme) || { puzzles: 0, first: 0, tries: 0, failures: 0 };
    themes.set(theme, {
      puzzles: sum.puzzles + 1,
      first: sum.first + first,
      tries: sum.tries + tries,
      failures: sum.failures + failures,
    });
  }
  const grade = (sum) => (sum.failures >= WEAK ? "weak" : sum.first >= STRONG ? "strong" : "");
  const rows = [...themes].sort(([, a], [, b]) => b.failures - a.failures || b.puzzles - a.puzzles);
  const titles = ["Theme", "puzzles", "right at first try", ""];
  const table = el(
    "table",
    {},
    el("thead", {}, el("tr", {}, titles.map((title) => el("th", { scope: "col" }, title)))),
    el(
      "tbody",
      {},
      rows.map(([theme, sum]) =>
        el(
          "tr",
          { "data-theme": theme },
          el("th", { scope: "row" }, theme),
          [sum.puzzles, sum.first, grade(sum)].map((value) => el("td", {}, String(value))),
        ),
      ),
    ),
  );
  $("#results .table-of-results").replaceChildren(rows.length ? table : "Nothing answered yet.");
  const due = quiz.puzzles.filter(isDue).length;
  $("#progress").textContent = `Puzzle ${now.at + 1} of ${quiz.puzzles.length}; ${due} to answer now.`;
}

// --- the puzzle ----------------------------------------------------------------------------------------

function boardWith(values) {
  const hands = el("div", { class: "hands" });
  $("#board .hands").replaceWith(hands);
  return boardOf({ ...quiz.variants[puzzle().variant], marks: [], verdicts: {}, kinds: {}, notes: {}, ...values });
}

function turnsOf(positions, turn) {
  const turns = puzzle().game.movers.map((seat) => ({ seat }));
  positions.forEach((position, i) => (turns[turn + i] = { card_marks: {}, ...position }));
  return turns;
}

function show(at) {
  Object.assign(now, { at, chosen: null, solution: null, done: false });
  const { game, turn, seat, question } = puzzle();
  document.body.className = `v${puzzle().variant} asking`;
  now.board = boardWith({ ...game, turns: turnsOf([game.position], turn), start: { view: seat, strict: true } });
  Object.assign(now.board.now, { turn, view: seat });
  now.board.drawTable();
  now.board.drawHands();
  $("#board .turn").textContent = `Before turn ${turn + 1}`;
  $("#board .move").replaceChildren("You are ", el("b", {}, now.board.name(seat)));
  $("#board .later").replaceChildren();
  $("#question").textContent = question;
  $("#ask .said").textContent = "";
  $("#ask .said").className = "said";
  $("#ask .why").replaceChildren();
  const first = Math.max(0, turn - 12);
  const moves = Array.from({ length: turn - first }, (_, i) => el("li", {}, now.board.moveNodes(first + i)));
  $("#moves ol").replaceChildren(...moves);
  $("#moves ol").start = first + 1;
  drawChoices();
  drawResults();
  $('[data-go="show"]').hidden = false;
}

const ownHand = () => [...puzzle().game.position.hands[puzzle().seat]].reverse();

function choose(slot) {
  if (now.done || slot < 1 || slot > ownHand().length) return;
  now.chosen = slot;
  drawChoices();
}

function markChosen() {
  const chosen = now.chosen && ownHand()[now.chosen - 1];
  for (const card of document.querySelectorAll("#board .card"))
    card.classList.toggle("chosen", now.chosen !== null && Number(card.dataset.order) === chosen);
}

const button = (text, answer, attributes = {}) => {
  const one = el("button", { type: "button", class: "btn", ...attributes }, text);
  one.addEventListener("click", () => reply(answer));
  return one;
};

function drawChoices() {
  const { form, seat } = puzzle();
  const parts = form === "cards" ? identityChoices() : [...cardChoices(), ...clueChoices(seat)];
  $("#ask .choices").replaceChildren(...(now.done ? [] : parts));
  markChosen();
}

function slotButtons(title) {
  const slots = ownHand().map((_, i) => {
    const one = el(
      "button",
      { type: "button", class: "btn", "data-slot": i + 1, "aria-pressed": String(now.chosen === i + 1) },
      String(i + 1),
    );
    one.addEventListener("click", () => choose(i + 1));
    return one;
  });
  return el("div", {}, el("h3", {}, title), el("div", { class: "row" }, slots));
}

function cardChoices() {
  const slot = now.chosen;
  const acts = slot
    ? el(
        "div",
        { class: "row" },
        ["play", "discard"].map((kind) =>
          button(
            [`${kind[0].toUpperCase()}${kind.slice(1)} slot ${slot} `, el("kbd", {}, kind[0])],
            { kind, slot },
            { "data-act": kind },
          ),
        ),
      )
    : null;
  return [slotButtons("Play or discard a card: choose its slot"), acts].filter(Boolean);
}

function clueChoices(seat) {
  const { players, legal, position } = puzzle().game;
  if (position.tokens < 1) return [];
  const rows = quiz.variants[puzzle().variant].clues;
  return players.map((_, to) => {
    if (to === seat) return "";
    const row = rows.flat().map((clue) => {
      const kind = clue.colour === undefined ? 3 : 2;
      return button(
        clue.letter,
        { kind: "clue", seat: to, clue: [kind, clue.value] },
        {
          class: `btn clue-choice ${clue.colour === undefined ? "" : `c-colour c${clue.colour}`}`,
          "aria-label": `clue ${players[to]} ${clue.name}`,
          disabled: legal && !legal.some(([s, k, v]) => s === to && k === kind && v === clue.value),
        },
      );
    });
    return el("div", {}, el("h3", {}, "Clue ", now.board.name(to)), el("div", { class: "row" }, row));
  });
}

function identityChoices() {
  const parts = [slotButtons("Which card? Choose its slot")];
  if (!now.chosen) return parts;
  const slot = now.chosen;
  const hand = puzzle().game.position.hands[puzzle().seat];
  const mask = puzzle().game.position.known[puzzle().seat][hand.length - slot];
  const cards = now.board.inMask(mask).map((card) =>
    button(now.board.identityText(card), { kind: "card", slot, identity: card }, { class: `btn c-colour s${card[0]}` }),
  );
  const none = button(["Keep it for now ", el("kbd", {}, "k")], { kind: "keep", slot }, { "data-act": "keep" });
  parts.push(el("div", {}, el("h3", {}, `Slot ${slot} is`), el("div", { class: "row" }, cards)));
  parts.push(el("div", { class: "row" }, none));
  return parts;
}

// --- the answer ----------------------------------------------------------------------------------------

// Solutions are compressed, so that nobody reads them by accident.
async function solved() {
  if (now.solution) return now.solution;
  const bytes = Uint8Array.from(atob(puzzle().solution), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  now.solution = await new Response(stream).json();
  return now.solution;
}

const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

function alternativeOf(solution, answer) {
  const ofKind = solution.alternatives.filter((one) => one.kind === answer.kind);
  if (answer.kind === "clue") return ofKind.find((one) => one.seat === answer.seat && same(one.clue, answer.clue));
  const ofSlot = ofKind.filter((one) => one.slot === answer.slot);
  if (answer.kind === "keep") return ofSlot[0] || { verdict: "wrong", why: solution.explained };
  return (
    ofSlot.find((one) => !one.identity || same(one.identity, answer.identity)) ||
    { verdict: "wrong", why: solution.explained }
  );
}

async function reply(answer) {
  if (now.done) return;
  const at = now.at;
  const solution = await solved();
  if (at !== now.at || now.done) return;
  const found = answer ? alternativeOf(solution, answer) : { verdict: "wrong", why: "" };
  if (!found) return;
  const said = $("#ask .said");
  if (found.verdict === "open" && !isStudy(puzzle())) {
    said.className = "said";
    said.textContent = `Open, neither right nor wrong: ${found.why} Choose a clearer move.`;
    return;
  }
  now.done = true;
  if (isStudy(puzzle())) {
    studied.add(puzzle().key);
    drawResults();
    said.className = "said";
    said.textContent = answer ? `Your answer: ${found.label}. ${found.why}` : "The actual move";
  } else {
    record(found.verdict === "right");
    said.className = `said ${found.verdict}`;
    said.textContent = answer ? (found.verdict === "right" ? "Right" : "Wrong") : "The answer";
  }
  drawChoices();
  drawWhy(solution, found);
  drawLater(solution);
  $('[data-go="show"]').hidden = true;
  $('[data-go="on"]').focus({ preventScroll: true });
}

function drawWhy(solution, found) {
  const list = (verdict, title, open) => {
    const some = solution.alternatives.filter((one) => one.verdict === verdict);
    if (!some.length) return null;
    const items = some.map((one) => el("li", {}, el("b", {}, one.label), one.why));
    return el("details", { open }, el("summary", {}, `${title} (${some.length})`), el("ul", {}, items));
  };
  const facts = [
    solution.theme,
    solution.level && `level ${solution.level}`,
    solution.difficulty && `difficulty ${solution.difficulty} of 5`,
    solution.mistake && `mistake in the game: ${solution.mistake}`,
    solution.share,
  ];
  const right = solution.alternatives.filter((one) => one.verdict === "right").map((one) => one.label);
  const place = { href: solution.link, target: "_blank", rel: "noopener noreferrer" };
  const parts = [
    found.verdict === "wrong" && found.why ? el("p", {}, found.why) : null,
    el("p", {}, right.length ? el("b", {}, right.join("; "), ". ") : "", solution.explained),
    el("p", { class: "small" }, `${facts.filter(Boolean).join("; ")}.`),
    solution.link ? el("p", { class: "small" }, el("a", place, "This turn in its game")) : null,
    list("right", "Right", true),
    list("open", isStudy(puzzle()) ? "The moves" : "Open", !isStudy(puzzle())),
    list("wrong", "Wrong", false),
  ];
  $("#ask .why").replaceChildren(...parts.filter(Boolean));
}

// The board with all hands open: before the move, after it, and after the next one.
function drawLater(solution) {
  const { turn, game } = puzzle();
  const { turns, cards, deck, actions } = solution.later;
  now.board = boardWith({ ...game, deck, cards, actions: [...game.actions, ...actions], turns: turnsOf(turns, turn) });
  document.body.classList.remove("asking");
  const step = (number) => {
    Object.assign(now.board.now, { turn: turn + number, view: "all" });
    now.board.drawTable();
    now.board.drawHands();
    const place = turn + number + 1;
    $("#board .turn").textContent = actions[number] ? `Turn ${place}, all hands open` : `Before turn ${place}`;
    $("#board .move").replaceChildren(...(actions[number] ? now.board.moveNodes(turn + number) : ["All hands open"]));
    $("#board .later").replaceChildren(
      ...turns.map((_, i) => {
        const one = el("button", { type: "button", "aria-pressed": String(i === number) }, `Turn ${turn + i + 1}`);
        one.addEventListener("click", () => {
          step(i);
          $('#board .later [aria-pressed="true"]').focus();
        });
        return one;
      }),
    );
  };
  step(0);
}

// --- buttons and keys ----------------------------------------------------------------------------------

function go(step) {
  const count = quiz.puzzles.length;
  const order = Array.from({ length: count }, (_, i) => (now.at + step * (i + 1) + count * (i + 1)) % count);
  // A step forward leads to the next puzzle that is due; if none is due, to the next puzzle.
  show(step > 0 ? (order.find((at) => at !== now.at && isDue(quiz.puzzles[at])) ?? order[0]) : order[0]);
  $("#question").focus({ preventScroll: true });
  if (window.innerWidth < 760) window.scrollTo(0, 0);
}

const steps = { on: () => go(1), back: () => go(-1), show: () => reply(null) };

document.addEventListener("click", (event) => {
  const at = (selector) => event.target instanceof Element && event.target.closest(selector);
  let found;
  if ((found = at("[data-go]"))) steps[found.dataset.go]();
  else if ((found = at("#board .card"))) {
    const slot = ownHand().indexOf(Number(found.dataset.order)) + 1;
    if (slot && Number(found.dataset.seat) === puzzle().seat) choose(slot);
  } else if (at("#keys")) $("#help").showModal();
  else if (at("#export")) save();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
  const act = { p: "play", d: "discard", k: "keep" }[event.key];
  if (act) $(`[data-act="${act}"]`)?.click();
  else if (/^[1-6]$/.test(event.key)) choose(Number(event.key));
  else if (event.key === "c") $("#ask .choices .clue-choice:not(:disabled), #ask .choices .c-colour")?.focus();
  else if (/^Arrow/.test(event.key) && event.target.closest(".choices .row")) {
    const row = [...document.querySelectorAll("#ask .choices .btn:not(:disabled)")];
    const at = row.indexOf(event.target) + (/Right|Down/.test(event.key) ? 1 : -1);
    row[(at + row.length) % row.length].focus();
  } else if (event.key === "n" || event.key === "ArrowRight") go(1);
  else if (event.key === "ArrowLeft") go(-1);
  else if (event.key === "s") reply(null);
  else if (event.key === "?") $("#help").showModal();
  else if (event.key === "Escape") now.board.hidePossibilities();
  else return;
  event.preventDefault();
});

// --- export and import ---------------------------------------------------------------------------------

function save() {
  const text = JSON.stringify({ kind: STORE, version: 1, progress }, null, 1);
  const link = el("a", { href: `data:application/json,${encodeURIComponent(text)}`, download: "quiz-progress.json" });
  link.click();
}

$("#import").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  try {
    const values = JSON.parse(await file.text());
    if (values.kind !== STORE) throw new Error("another file");
    Object.assign(progress, checked(values.progress));
    storeProgress();
  } catch {
    $("#ask .said").textContent = "This is not a file saved by “Export”.";
  }
  target.value = "";
  drawResults();
});

// The address may name a puzzle, from 1: #puzzle=3.
const asked = () => Number(/^#puzzle=(\d+)$/.exec(window.location.hash)?.[1] || 0) - 1;
window.addEventListener("hashchange", () => quiz.puzzles[asked()] && show(asked()));

readProgress();
show(quiz.puzzles[asked()] ? asked() : Math.max(0, quiz.puzzles.findIndex(isDue)));
