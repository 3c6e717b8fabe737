// State, elements, identity masks and visibility of cards, for all parts of the page.

const $ = (selector, inside = document) => inside.querySelector(selector);
const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

// The page as it was loaded, which "Save page" saves.
const loaded = document.documentElement.outerHTML;
// The values of a page without spoilers are compressed.
const values = $("#game").textContent;
const game = JSON.parse($("#game").type === "text/plain" ? await expanded(values, "gzip") : values);
const seats = game.players.length;
const lastTurn = game.turns.length - 1;
// The state of the page: the turn and the last turn reached (from 0); the view ("all" or a seat); whether it hides
// spoilers (strict) and asks for moves (guess; spoilers.js); whether the board shows the better move; the line of
// moves on the board, or null (line.js).
const start = { view: "all", strict: false, ...game.start };
const now = { turn: 0, reached: 0, ...start, guess: false, better: false, line: null };

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(4).filter((child) => child !== null && child !== undefined && child !== ""),
  );
  return element;
}

// Texts become text nodes, never markup.
const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const plural = (number, one, more = one + "s") => `${number} ${number === 1 ? one : more}`;
const name = (seat) => el("bdi", {}, game.players[seat]);
// Players count turns from 1.
const turnWord = (turn) => (turn === lastTurn ? "the end" : `turn ${turn + 1}`);
const ofTurns = () => (now.strict ? "" : ` of ${lastTurn}`);
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const textOf = (nodes) => el("span", {}, nodes).textContent;
// A whole number with a minus sign in place of the hyphen; `none` without a value.
const signed = (value, none) => (value === null ? none : String(value).replace("-", "−"));

// --- masks of identities: bit suit * 8 + rank, up to 48 bits -------------------------------------------

const bitOf = ([suit, rank]) => suit * 8 + rank;
const has = (mask, bit) => Math.floor(mask / 2 ** bit) % 2 === 1;
const identities = game.suits.flatMap((_, suit) => game.ranks.map(({ rank }) => [suit, rank]));
const inMask = (mask) => identities.filter((card) => has(mask, bitOf(card)));
const countOf = (mask) => inMask(mask).length;

// The number of copies of an identity that a player does not see.
const unseenBy = (turn, seat, bit) => game.turns[turn].unseen[seat].filter((mask) => has(mask, bit)).length;

// --- cards ---------------------------------------------------------------------------------------------

const holderOf = (order) => game.cards[order][0];
const goneAt = (order) => game.cards[order][2];

// The position on the board, the action drawn on it, and the previous action.
const position = () => (now.line ? now.line.positions[now.line.at] : game.turns[now.turn]);
const actionHere = () => (now.line ? now.line.actions[now.line.at] : game.actions[now.turn]);
const actionBefore = () => (now.line && now.line.at ? now.line.actions[now.line.at - 1] : game.actions[now.turn - 1]);

// The seat of a card, its index (from the oldest card, 0) and its slot (from the newest, 1); null outside of hands.
function placeOf(order) {
  const { hands } = position();
  for (let seat = 0; seat < seats; seat++) {
    const index = hands[seat].indexOf(order);
    if (index >= 0) return { seat, index, slot: hands[seat].length - index };
  }
  return null;
}

function knownMask(order) {
  const place = placeOf(order);
  return place && game.turns[now.turn].known[place.seat][place.index];
}

const certain = (order) => countOf(knownMask(order) || 0) === 1;

// Whether the view hides a card: one that the viewer holds or will draw, or that nobody draws, unless it is known for
// certain.
function hidden(order) {
  if (viewer() === "all") return false;
  const gone = goneAt(order);
  if (gone !== null && gone < now.turn) return false;
  const holder = holderOf(order);
  if (holder !== null && holder !== viewer()) return false;
  return !certain(order);
}

const rankLabel = (rank) => game.ranks.find((one) => one.rank === rank).label;
const identityText = ([suit, rank]) => game.suits[suit].letter + rankLabel(rank);
const identityWords = ([suit, rank]) => `${game.suits[suit].name} ${rank === 7 ? "START" : rank}`;
const cardText = (order) => (hidden(order) ? "?" : identityText(game.deck[order]));

function chip(card) {
  return el("span", { class: `chip s${card[0]}` }, identityText(card));
}

// --- clues ---------------------------------------------------------------------------------------------

const clueOf = (action) => game.clues[action.clue[0]][action.clue[1]];

function clueChip(clue) {
  return el("span", { class: `clue ${clue.colour === undefined ? "ink" : "c" + clue.colour}` }, clue.letter);
}

// By order of a card, the clues to its hand: the turn, the clue as [row, index], and whether it touched the card.
const clueHistory = game.deck.map(() => []);
game.actions.forEach((action, turn) => {
  if (action.kind !== "clue") return;
  for (const order of action.touched) clueHistory[order].push({ turn, at: action.clue, touched: true });
  for (const order of action.missed) clueHistory[order].push({ turn, at: action.clue, touched: false });
});
const cluesOn = (order) => [...clueHistory[order].filter((clue) => clue.turn < now.turn), ...cluesInLine(order)];

const isClued = (order) => cluesOn(order).some((clue) => clue.touched);

// The names of the clues that touched a card, or of the clues that did not.
function cluesIn(said, touched) {
  const names = said
    .filter((one) => one.touched === touched)
    .map((one) => game.clues[one.at[0]][one.at[1]].name);
  return [...new Set(names)].join(", ");
}

// --- actions in words ----------------------------------------------------------------------------------

function moveNodes(turn, short = false) {
  const action = game.actions[turn];
  if (!action) return ["The end of the game"];
  return actionNodes(action, game.turns[turn].seat, short);
}

function actionNodes(action, seat, short = false) {
  const who = name(seat);
  if (action.kind === "end") {
    return [el("b", {}, ...(action.seat === null ? ["The game is ended"] : [name(action.seat), " ends the game"]))];
  }
  if (action.kind === "clue") {
    const clue = clueOf(action).name;
    const meant = game.silent && viewer() === "all" ? ` (${action.meant})` : "";
    return [el("b", {}, who, ` clues ${clue}`), meant, " to ", name(action.to)];
  }
  const verb = action.kind === "play" ? "plays" : "discards";
  const place = action.slot === 0 ? "the deck" : `slot ${action.slot}`;
  const failed = isMisplay(action) ? ", a misplay" : "";
  if (hidden(action.order)) return [el("b", {}, who, ` ${verb} ${place}`)];
  const what = el("b", {}, who, ` ${verb} ${identityText(game.deck[action.order])}`);
  return short ? [what, failed] : [what, ` from ${place}`, failed];
}

// A sentence in parts (hanalyze/report/game/sentence_parts.py); cards that the view hides are not named.
function partNodes(parts = []) {
  return parts.map((part) => {
    if (typeof part === "string") return part;
    if (part.seat !== undefined) return name(part.seat);
    if (part.card) return part.orders.some(hidden) ? el("span", { class: "chip unknown" }, "?") : chip(part.card);
    if (part.clue) return clueChip(clueOf(part));
    if (part.turn !== undefined)
      return el("a", { href: addressOf(part.turn), "data-turn": part.turn }, `turn ${part.turn + 1}`);
    if (part.term) return el("button", { type: "button", class: "term", "data-def": part.term }, part.text);
    if (part.if) return part.if.some(hidden) ? "" : part.text;
    return el("b", {}, partNodes(part.b));
  });
}

// The address of a turn, #turn=24&view=1: turns and players count from 1. Values equal to the initial ones are omitted.
const addressOf = (turn) =>
  [
    `#turn=${turn + 1}`,
    now.view === start.view ? "" : `&view=${now.view === "all" ? 0 : now.view + 1}`,
    now.strict === start.strict ? "" : `&spoilers=${now.strict ? "no" : "yes"}`,
    now.guess ? "&guess=1" : "",
  ].join("");

// --- signs and shapes ----------------------------------------------------------------------------------

// Icons are symbols of page.html.
const use = (id, attributes) =>
  svg("svg", { ...attributes, "aria-hidden": "true" }, svg("use", { href: `#i-${id}` }));
const sign = (kind) => use(kind, { class: `sign ${kind}`, width: 14, height: 14 });
const glyph = (id, kind = "") => use(id, { class: `i ${kind}` });

const shape = (suit) => glyph(game.suits[suit].shape, "shape");

// --- marks: all mistakes of a turn, the costliest first ------------------------------------------------

const marksAt = (turn) => (isVerdictHidden(turn) ? [] : game.marks.filter((mark) => mark.turn === turn));
const markedTurns = [...new Set(game.marks.map((mark) => mark.turn))].sort((a, b) => a - b);
const shownMarks = () => markedTurns.filter((turn) => !isVerdictHidden(turn));

// The title of a mark; if the view hides its card, the title does not reveal the rank.
const isVeiled = ({ turn, kind }) => {
  const { order } = game.actions[turn];
  return order !== undefined && hidden(order) && game.kinds[kind].veiled !== game.kinds[kind].title;
};
const titleOf = (mark) => game.kinds[mark.kind][isVeiled(mark) ? "veiled" : "title"];
const ORDER = ["bad", "warn", "risk", "none"];
function signOf(turn) {
  const signs = marksAt(turn).map((mark) => mark.sign);
  return ORDER.find((kind) => signs.includes(kind));
}
