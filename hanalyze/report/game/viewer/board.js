// The board: the table with stacks, numbers and discards, and the hands with the move drawn on them.

let discardsOpen = window.innerWidth >= 760;

function drawTable() {
  const turn = position();
  $("#board .table").replaceChildren(stacks(turn), numbers(turn), discards(turn));
}

function stacks(turn) {
  return el(
    "div",
    { class: "stacks" },
    game.suits.map((suit, number) => {
      const stack = turn.stacks[number];
      const next = game.ranks.filter(({ rank }) => {
        const bit = number * 8 + rank;
        return has(turn.playable, bit) && lostCopies(turn, number, rank) < suit.copies[rankLabel(rank)];
      });
      const done = stack.length === game.stackSize;
      const after = done ? "done" : next.length ? "next " + next.map((one) => one.label).join(", ") : "stuck";
      const top = stack.length ? rankLabel(stack.at(-1)) : "";
      const height = stack.length ? `${top} on top, ${plural(stack.length, "card")}` : "empty";
      const said = `${suit.name}: ${height}, ${after}`;
      const letter = el("span", { class: "l" }, suit.letter, shape(number));
      const face = [el("span", { class: "n" }, top || "–"), letter];
      const props = { class: "stack", role: "img", "aria-label": said, "data-size": stack.length };
      const pile = el("div", { class: `pile ${stack.length ? "" : "empty "}s${number}` }, face);
      return el("div", props, pile, el("div", { class: "next" }, after));
    }),
  );
}

const lostCopies = (turn, suit, rank) =>
  turn.discards.filter((order) => game.deck[order][0] === suit && game.deck[order][1] === rank).length;

function numbers(turn) {
  const gauge = (key, label, ...value) =>
    el(
      "div",
      { class: "gauge", "data-is": key },
      el("span", { class: "label" }, label),
      el("span", { class: "value" }, value),
    );
  // The clues of a line are arbitrary, so cards per clue are meaningless.
  const ratio = turn.lost ? (turn.gotten / turn.lost).toFixed(2) : "–";
  const tokens = Array.from({ length: Math.min(game.tokens, 12) }, (_, i) =>
    el("i", { class: `token ${i + 1 <= turn.tokens ? "on" : i < turn.tokens ? "half" : ""}` }),
  );
  const strikes = Array.from({ length: Math.min(game.strikes, 9) }, (_, i) => {
    const [kind, cross] = i < turn.strikes ? ["on", "✕"] : ["", ""];
    return el("i", { class: `strike ${kind}`, "aria-hidden": "true" }, cross);
  });
  const needs = el(
    "span",
    { class: "sub needs" },
    `needs ${turn.needs === null ? "–" : turn.needs.toFixed(2)}`,
  );
  return el(
    "div",
    { class: "gauges" },
    gauge("score", "Score", el("b", {}, turn.score), el("span", { class: "sub" }, `/${turn.max}`)),
    gauge(
      "tokens",
      "Clue tokens",
      el("b", {}, turn.tokens),
      el("span", { class: "tokens", "aria-hidden": "true" }, tokens),
    ),
    gauge("strikes", "Strikes", el("b", { class: "hidden" }, turn.strikes), strikes),
    gauge("pace", "Pace", el("b", {}, signed(turn.pace, "–"))),
    // The number of cards gotten depends on hidden cards.
    isStrict() ? null : gauge("ratio", "Cards per clue", el("b", {}, ratio), needs),
    gauge("deck", "Deck", el("b", {}, turn.deck)),
  );
}

function discards(turn) {
  const grid = el(
    "table",
    { class: "discards" },
    el("tr", {}, el("td"), game.ranks.map(({ label }) => el("th", { scope: "col" }, label))),
    game.suits.map((suit, number) =>
      el(
        "tr",
        {},
        el("th", { scope: "row", class: `s${number}` }, el("span", {}, suit.letter, shape(number))),
        game.ranks.map(({ rank }) => discardCell(turn, number, rank)),
      ),
    ),
  );
  const summary = el(
    "summary",
    {},
    el("b", {}, "Discard pile"),
    ` ${plural(turn.discards.length, "card")}; `,
    el("b", {}, "!"),
    " only one copy left",
  );
  const pile = el("details", { class: "pile-of-discards", open: discardsOpen }, summary, grid);
  pile.addEventListener("toggle", () => {
    discardsOpen = pile.open;
  });
  return pile;
}

function discardCell(turn, suit, rank) {
  const count = lostCopies(turn, suit, rank);
  if (!count) return el("td", { class: "none" }, "·");
  const critical = has(turn.critical, suit * 8 + rank);
  const text = identityText([suit, rank]);
  const last = critical ? ", one copy left and needed" : "";
  const said = `${text}, ${plural(count, "copy", "copies")} discarded${last}`;
  return el(
    "td",
    { "aria-label": said, "data-card": text, "data-count": count },
    el(
      "span",
      { class: `discarded s${suit} ${critical ? "critical" : ""}` },
      text,
      count > 1 ? el("small", {}, `×${count}`) : null,
    ),
  );
}

// --- hands ---------------------------------------------------------------------------------------------

function drawHands() {
  const turn = position();
  const playing = Boolean(actionHere());
  const tags = moveTags();
  const places = Math.max(5, ...game.clues.map((row) => row.length));
  const hands = $("#board .hands");
  hands.style.setProperty("--places", places);
  hands.className = `hands of${Math.max(...turn.hands.map((hand) => hand.length))} seats${seats}`;
  hands.replaceChildren(
    ...turn.hands.map((hand, seat) => {
      const who = el(
        "div",
        { class: "who" },
        name(seat),
        viewer() === seat ? el("span", { class: "own" }, "own view") : null,
        playing && turn.seat === seat ? el("span", { class: "to-move" }, "to move") : null,
      );
      const newestFirst = [...hand].reverse();
      return el(
        "div",
        { class: "hand", role: "group", "aria-label": `${game.players[seat]}'s hand`, "data-seat": seat },
        who,
        el(
          "div",
          { class: "cards" },
          newestFirst.map((order, i) => slotOf(order, seat, i + 1, newestFirst, tags)),
        ),
      );
    }),
  );
}

// The tag on each card of the move or the better move.
function moveTags() {
  const tags = new Map();
  const action = actionHere();
  if (!action || isAsking()) return tags;
  const bad = now.line ? "line" : signOf(now.turn) === "bad" ? "bad" : "";
  const back = now.better ? " back" : "";
  if (action.kind === "clue") {
    const letter = clueOf(action);
    for (const order of action.touched)
      tags.set(order, { text: letter.letter, said: `clued ${letter.name} now`, kind: bad + back });
  } else if (action.kind !== "end") {
    const text = action.kind === "play" ? (isMisplay(action) ? "misplays" : "plays") : "discards";
    tags.set(action.order, { text, said: `${text} now`, kind: bad + back });
  }
  if (now.better && betterMove())
    for (const order of betterMove().orders)
      tags.set(order, { text: betterMove().tag, said: `better: ${betterMove().tag}`, kind: "better" });
  return tags;
}

// The cards of the better move; none while the verdict is hidden.
const betterMove = () => (isVerdictHidden(now.turn) ? null : betterHere()?.drawn);

// The mark of a card, as [word, turn] (hanalyze/conventions/game_reading.py). Marks depend on cards that only the giver
// saw, so without spoilers there are only the chops and chop moves that the viewer can infer.
function markOf(order) {
  if (!isStrict()) return position().card_marks[order];
  const turn = isSeatStrict() ? position().chops[viewer()][order] : undefined;
  return turn === undefined ? undefined : [turn < 0 ? "chop" : "moved", turn];
}
const MARK_WORDS = {
  called: "called on turn ",
  moved: "chop-moved on turn ",
  saved: "saved on turn ",
  trash: "known trash",
  chop: "chop",
  finesse: "finesse position",
};

function markPill([word, turn]) {
  const plain = word === "chop" || word === "finesse";
  const when = word === "called" && turn >= 0 ? el("u", {}, ` ${turn + 1}`) : null;
  return el("span", { class: `pill ${word}` }, plain ? null : glyph(word), word, when);
}

function slotOf(order, seat, slot, hand, tags) {
  const tag = tags.get(order);
  const clued = isClued(order);
  const mark = markOf(order);
  const before = actionBefore();
  const words = [before && before.drawn === order && "new"];
  if (mark) words.push(MARK_WORDS[mark[0]] + (mark[1] >= 0 ? mark[1] + 1 : ""));
  const card = cardButton(order, seat, slot, clued, words, tag);
  return el(
    "div",
    { class: `slot ${clued ? "up" : ""} ${mark ? "is-" + mark[0] : ""}` },
    tag ? el("span", { class: `tag ${tag.kind}`, "aria-hidden": "true" }, tag.text) : null,
    card,
    el("div", { class: "caption", "aria-hidden": "true" }, el("span", {}, slot), mark ? markPill(mark) : null),
  );
}

function cardButton(order, seat, slot, clued, words, tag) {
  const face = !hidden(order);
  const sure = viewer() === seat && face;
  const said = cluesOn(order);
  const mask = now.line ? null : shownMask(order);
  const [suit, rank] = game.deck[order];
  const spoken = [
    `${game.players[seat]}, slot ${slot}`,
    face ? identityWords(game.deck[order]) + (sure ? ", known for certain" : "") : "face down",
    clued ? `clued ${cluesIn(said, true)}` : "unclued",
    cluesIn(said, false) && `not ${cluesIn(said, false)}`,
    ...words,
    tag && tag.said,
    tag && tag.kind.includes("bad") && "marked: points lost",
    mask && `${plural(countOf(mask), "possibility", "possibilities")} for the holder`,
  ];
  const better = tag && tag.kind === "better";
  const kind = face ? `s${suit}` : "down";
  const classes = ["card", kind, clued && "touched", sure && "sure", better && "better"];
  const button = el("button", {
    type: "button",
    class: classes.filter(Boolean).join(" "),
    "data-order": order,
    "data-seat": seat,
    "data-key": `card ${order}`,
    "data-face": face ? identityText(game.deck[order]) : null,
    "aria-label": spoken.filter(Boolean).join("; "),
    "aria-describedby": "pop-text",
  });
  if (face)
    button.append(
      el("span", { class: "rank" }, rankLabel(rank)),
      el("span", { class: "letter" }, game.suits[suit].letter),
      shape(suit),
    );
  else button.append(smallGrid(mask));
  button.append(ledger(said));
  return button;
}

// The possible identities of a hidden card: suits as rows, ranks as columns.
function smallGrid(mask) {
  const grid = el(
    "span",
    { class: "mini" },
    identities.map((card) => {
      const possible = has(mask, bitOf(card));
      return el("i", { class: possible ? `s${card[0]}` : "off" }, possible ? rankLabel(card[1]) : "");
    }),
  );
  grid.style.setProperty("--ranks", game.ranks.length);
  grid.style.setProperty("--suits", game.suits.length);
  return grid;
}

// Fixed places for all clues. A filled chip: the clue touched the card; a struck-out chip: it did not.
function ledger(said) {
  const place = (clue, r, p) => {
    const found = said.filter(({ at }) => at[0] === r && at[1] === p);
    const hue = clue.colour === undefined ? "ink" : "c" + clue.colour;
    if (found.some((one) => one.touched)) return el("i", { class: `yes ${hue}` }, clue.letter);
    return found.length ? el("i", { class: "no" }, clue.letter) : el("i", { class: "open" });
  };
  const row = (clues, r) => el("span", {}, clues.map((clue, p) => place(clue, r, p)));
  return el("span", { class: "ledger" }, game.clues.map(row));
}
