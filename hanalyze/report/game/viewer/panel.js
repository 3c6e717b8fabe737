// The panel beside the board: the verdict on a turn, always in the same order; lists of marks and of clues.

// The open disclosures of this turn, and the element that opened the definitions.
const opened = new Set();
let cameFrom = null;

function drawWhy() {
  if (now.line) return drawLine();
  if (isAsking()) return drawQuestion();
  if (isVerdictHidden(now.turn)) return drawHidden();
  const verdict = game.verdicts[now.turn] || {
    title: ["The end of the game"],
    move: [game.headline],
  };
  const [mark, ...rest] = marksAt(now.turn);
  const title = mark && isVeiled(mark) ? [game.kinds[mark.kind].veiled] : verdict.title;
  const parts = [
    kicker(mark),
    yourAnswer(),
    el("h2", { id: "verdict", tabindex: -1 }, partNodes(title)),
    verdict.move && el("p", { class: "sub" }, partNodes(verdict.move)),
    verdict.blame && !now.strict && el("p", { class: "blame" }, partNodes(verdict.blame)),
    verdict.why && section("Why", "", el("dl", {}, verdict.why.map(evidence))),
    betterHere() && better(betterHere()),
    verdict.moves && isOwn() && section("Moves and their expected effects", "options", moveTable(verdict.moves)),
    verdict.consequences && !now.strict && consequencesOf(verdict.consequences),
    now.turn === lastTurn && section("The players", "players-scroll", playersTable()),
  ].filter(Boolean);
  const text = $("#why .text");
  text.replaceChildren(...parts);
  text.append(el("div", { class: "more" }, disclosures(verdict, mark, rest)));
  $(".more", text).append(definitions(text));
  announce();
}

// Tell screen readers the mark, the verdict and the blame.
function announce() {
  const text = $("#why .text");
  const said = [".kick > :first-child", "h2", ".blame"].map((one) => $(one, text)?.textContent);
  const spoken = said.filter(Boolean).join(". ");
  if ($("#said").textContent !== spoken) $("#said").textContent = spoken;
}

const section = (title, kind, ...children) => el("section", { class: kind }, el("h3", {}, title), children);

// A mark with its kind and the player to blame; the word opens the definition.
function kicker(mark) {
  const said = !mark
    ? el("span", { class: "quiet" }, "No mark")
    : el(
        "span",
        { class: `mk ${mark.sign}` },
        sign(mark.sign),
        el(
          "span",
          {},
          isVeiled(mark) ? titleOf(mark) : partNodes([{ term: `kind ${mark.kind}`, text: game.kinds[mark.kind].noun }]),
          mark.whose === null ? ": not blamed" : [": ", name(mark.whose), "’s"],
        ),
      );
  return el("p", { class: "kick" }, said, count());
}

const count = () =>
  el("span", { class: "count" }, now.turn === lastTurn ? "The end" : `Turn ${now.turn + 1}${ofTurns()}`);

// A row of evidence: the chip with its source, then the text.
function evidence({ source, messages, text, bars, note }) {
  return el(
    "div",
    { class: `ev ${bars.length ? "full" : ""}`, "data-source": source },
    el(
      "dt",
      {},
      el("button", { type: "button", class: `src ${source}`, "data-def": source }, glyph(source), capital(source)),
    ),
    el(
      "dd",
      {},
      messages.length ? el("ul", { class: "messages" }, messages.map((line) => el("li", {}, partNodes(line)))) : null,
      text.length ? el("p", {}, partNodes(text)) : null,
      bars.length ? el("div", { class: "bars" }, bars.map(bar)) : null,
      note ? el("p", { class: "model" }, note) : null,
    ),
  );
}

function bar([kind, label, chance, said]) {
  const line = el("i", { class: kind });
  line.style.setProperty("--v", 100 * chance);
  return el("div", { class: "bar" }, el("span", {}, label), line, el("b", {}, said));
}

// The moves that the verdict compares, each with its expected effect.
const moveTable = (moves) => el("table", {}, el("tbody", {}, moves.map(moveRow)));
const moveRow = ([title, effect]) =>
  el("tr", {}, el("th", { scope: "row" }, partNodes(title)), el("td", {}, partNodes(effect)));

// --- the better move, drawn ----------------------------------------------------------------------------

function better({ title, text, drawn }) {
  return section(
    ["Better: ", partNodes(title)],
    "better",
    drawn
      ? el("div", { class: "minis", role: "img", "aria-label": textOf(partNodes(drawn.label)) }, minis(drawn))
      : null,
    text.length ? el("p", {}, partNodes(text)) : null,
    drawn
      ? el(
          "button",
          { type: "button", class: "btn", id: "better", "data-key": "better", "aria-pressed": String(now.better) },
          now.better ? "Show the actual move" : "Show on the board",
          el("kbd", {}, "b"),
        )
      : null,
  );
}

// The receiver's hand as the other players see it; the mover's hand as that player knew it.
function minis({ seat, orders, tag, cards }) {
  const hand = [...game.turns[now.turn].hands[seat]].reverse();
  return hand.map((order, i) => {
    const up = orders.includes(order);
    const mark = markOf(order);
    const [suit, rank, byCall] = cards ? cards[i] : hidden(order) ? [null, null] : game.deck[order];
    const face = [suit === null ? "down" : `s${suit}`, byCall && "sure"].filter(Boolean).join(" ");
    return el(
      "div",
      { class: `ms ${up ? "up" : ""}` },
      up ? el("span", { class: "mt" }, tag) : null,
      el(
        "div",
        { class: `mc ${face}` },
        rank === null ? null : el("b", {}, rankLabel(rank)),
        suit === null ? null : el("em", {}, game.suits[suit].letter, shape(suit)),
      ),
      el("small", {}, i + 1, mark ? [" ", el("b", {}, mark[0])] : null),
    );
  });
}

function showBetter() {
  now.better = !now.better;
  draw();
}

// --- consequences -------------------------------------------------------------------------------------

function consequencesOf({ turns, text }) {
  return section(
    "Consequences",
    "",
    turns.length ? el("ol", { class: "chain" }, turns.map(step)) : null,
    text.length ? el("p", {}, partNodes(text)) : null,
  );
}

function step({ turn, seat, move, result, sign: good }) {
  const here = turn === now.turn;
  const mark = { "-1": "trash", 1: "tick" }[good];
  return el(
    "li",
    { class: here ? "cur" : null, "aria-current": here ? "step" : null },
    el(
      "a",
      { href: addressOf(turn), "data-turn": turn },
      el("span", { class: "tn" }, `Turn ${turn + 1}`),
      el("span", { class: "act" }, name(seat), partNodes([move])),
      el(
        "span",
        { class: `res ${good < 0 ? "bad" : ""}` },
        mark ? glyph(mark, good < 0 ? "bad" : "good") : null,
        el("span", {}, partNodes(result)),
      ),
    ),
  );
}

// --- disclosures ---------------------------------------------------------------------------------------

function disclosure(key, summary, ...children) {
  const box = el(
    "details",
    { class: key, open: opened.has(key) },
    el("summary", { "data-key": `more ${key}` }, el("span", {}, summary)),
    el("div", {}, children),
  );
  box.addEventListener("toggle", () => (box.open ? opened.add(key) : opened.delete(key)));
  return box;
}

function toggle(key) {
  const box = $(`#why details.${key}`);
  if (!box) return;
  box.open = !box.open;
  const at = box.open && key === "defs" ? $("dt", box) : $("summary", box);
  if (box.open && key === "defs") cameFrom = document.activeElement;
  at.focus({ preventScroll: true });
  at.scrollIntoView({ block: "nearest" });
}

function disclosures(verdict, mark, rest) {
  const action = game.actions[now.turn];
  const seat = game.turns[now.turn].seat;
  const moved = action && action.order !== undefined;
  const open = el("small", {}, "with open cards");
  return [
    rest.length
      ? disclosure("also", "Also marked on this turn", rest.map((one) => [kicker(one).firstChild, alsoSaid(one)]))
      : null,
    (verdict.hindsight || lossHere()) && openCards()
      ? disclosure(
          "hindsight",
          [glyph("eye"), "In hindsight ", open],
          verdict.hindsight ? el("p", {}, partNodes(verdict.hindsight)) : null,
          lossHere() ? lostHere(lossHere()) : null,
        )
      : null,
    action && (mark || moved) && isOwn()
      ? disclosure("knew", [name(seat), "’s hand, as ", name(seat), " knew it"], knownHand(seat, action))
      : null,
  ];
}

// Points that this move put out of reach (hanalyze/report/game/summary.py).
const lossHere = () => (openCards() ? game.solved.losses[now.turn] : undefined);

function lostHere({ text, line }) {
  const said = el("p", {}, partNodes(text));
  if (!line.length) return said;
  return [said, el("p", { class: "line-title" }, lineTitle()), lineMoves(), lineButton()];
}

const alsoSaid = (mark) => el("p", {}, capitalised(partNodes(mark.evidence)), ".");
const capitalised = ([first, ...rest]) => [typeof first === "string" ? capital(first) : first, ...rest];

function knownHand(seat, action) {
  const hand = [...game.turns[now.turn].hands[seat]].reverse();
  const cell = (chance) => el("td", { class: chance < 0.005 ? "zero" : "" }, Math.round(100 * chance));
  const rows = hand.map((order, i) => {
    const seen = outlook(order);
    const count = seen.cards.length;
    return el(
      "tr",
      { class: order === action.order ? "me" : "", "data-order": order },
      el("th", { scope: "row" }, i + 1, " ", count === 1 ? chip(seen.cards[0].card) : null),
      el("td", {}, count === 1 ? "certain" : count),
      cell(seen.playable),
      cell(seen.critical),
      cell(seen.trash),
    );
  });
  const head = ["slot", "identities", "playable", "last copy", "trash"].map((word) => el("th", { scope: "col" }, word));
  return [
    el("table", { class: "odds" }, el("tr", {}, head), rows),
    el("p", { class: "tiny" }, "Per cent, by card counting."),
    el("ul", {}, (game.decisions[now.turn] || []).map((sentence) => el("li", {}, sentence))),
  ];
}

// --- definitions ---------------------------------------------------------------------------------------

// The definitions of all terms of the panel, in order of appearance.
function definitions(text) {
  const names = [...new Set(all("[data-def]", text).map((one) => one.dataset.def))];
  if (!names.length) return "";
  const found = names.map((one) => [one, ...game.definitions[one]]);
  const some = found.slice(0, 2).map(([, title]) => title.toLowerCase()).join(", ");
  return disclosure(
    "defs",
    `Definitions: ${some}${found.length > 2 ? " …" : ""}`,
    el("dl", {}, found.map(definition)),
  );
}

function definition([id, title, kind, sentence, example, address]) {
  const page = { href: address, target: "_blank", rel: "noopener noreferrer" };
  const query = id.startsWith("kind ") ? `hanalyze mistakes --explain ${id.slice(5)}` : "";
  return [
    el("dt", { "data-id": id, tabindex: -1 }, title, " ", el("span", { class: "lv" }, kind)),
    el(
      "dd",
      {},
      sentence,
      example ? [" ", el("i", {}, example)] : null,
      address ? [" ", el("a", page, `H-Group: ${title.toLowerCase()}`)] : null,
      query ? [" ", el("code", {}, query)] : null,
    ),
  ];
}

// A term or a chip opens the definitions at its entry; Esc returns.
function define(word) {
  const entry = all("#why .defs dt").find((one) => one.dataset.id === word.dataset.def);
  entry.closest("details").open = true;
  cameFrom = word;
  entry.focus({ preventScroll: true });
  entry.scrollIntoView({ block: "nearest" });
}

function leaveDefinitions() {
  if (cameFrom && document.contains(cameFrom)) cameFrom.focus();
  cameFrom = null;
}

// --- lists ---------------------------------------------------------------------------------------------

function drawMarks() {
  const turns = shownMarks().filter(isBlamed);
  const blameless = shownMarks().filter((turn) => !isBlamed(turn));
  $("#marks").hidden = isStrict() && !shownMarks().length;
  $("#marks h2 .tiny").textContent = turns.length;
  const rows = turns.map((turn) =>
    el(
      "li",
      {},
      el(
        "button",
        {
          type: "button",
          class: "row mark-row",
          "data-turn": turn,
          "data-key": `mark ${turn}`,
          "aria-current": turn === now.turn ? "true" : null,
        },
        sign(signOf(turn)),
        el("span", { class: "number" }, turn + 1),
        el(
          "span",
          {},
          moveNodes(turn, true),
          marksAt(turn)
            .filter(({ sign: kind }) => kind !== "none")
            .map((mark) => el("span", { class: "tiny line" }, titleOf(mark))),
        ),
      ),
    ),
  );
  const isOver = !isStrict() && !markedTurns.some(isBlamed);
  const words = isOver ? "No mistake was found in this game." : "The marks appear as you answer.";
  const list = $("#marks ol");
  list.replaceChildren(...(rows.length ? rows : [el("li", { class: "nothing" }, words)]));
  if (blameless.length) list.append(el("li", { class: "nothing tiny" }, unblamed(blameless)));
  if (rows.length >= 10) scrollIn(list, $("[aria-current]", list));
}

function unblamed(turns) {
  const link = (turn) => el("a", { href: addressOf(turn), "data-turn": turn }, turn + 1);
  const links = turns.map((turn, i) => [i ? (i === turns.length - 1 ? " and " : ", ") : "", link(turn)]);
  return [`Blameless move${turns.length > 1 ? "s" : ""} on turn${turns.length > 1 ? "s" : ""} `, links, "."];
}

// Keep the current entry of a long list in sight.
function scrollIn(list, current) {
  if (!current) return;
  const below = current.offsetTop - list.offsetTop;
  if (below < list.scrollTop || below > list.scrollTop + list.clientHeight - 80)
    list.scrollTop = below - list.clientHeight / 2;
}

const clueTurns = game.actions.map((_, turn) => turn).filter((turn) => game.actions[turn].kind === "clue");

let cluesShown = "";

function drawClues() {
  const turns = clueTurns.filter((turn) => turn < shownMoves());
  $("#clues h2 .tiny").textContent = turns.length;
  const words = turns.map(clueWords);
  const text = words.join("\n");
  if (text !== cluesShown)
    $("#clues ol").replaceChildren(...turns.map((turn, i) => clueRow(turn, words[i])));
  cluesShown = text;
  for (const row of all("#clues .row")) {
    const turn = Number(row.dataset.turn);
    row.classList.toggle("later", turn > now.turn);
    if (turn === now.turn) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
  // On a narrow screen the list scrolls in its box.
  if (window.innerWidth >= 760) return;
  const given = all("#clues .row").filter((row) => Number(row.dataset.turn) <= now.turn);
  scrollIn($("#clues .scroll"), given.at(-1));
}

function clueRow(turn, words) {
  const action = game.actions[turn];
  return el(
    "li",
    {},
    el(
      "button",
      {
        type: "button",
        class: "row clue-row",
        "data-turn": turn,
        "data-key": `clue ${turn}`,
        "aria-label": words,
      },
      el("span", { class: "number" }, turn + 1),
      el(
        "span",
        { class: "gist" },
        name(game.turns[turn].seat),
        " ",
        clueChip(clueOf(action)),
        " to ",
        name(action.to),
      ),
      el("span", { class: "touched" }, action.touched.map(cardText).join(" ") || "none"),
    ),
  );
}

function clueWords(turn) {
  const action = game.actions[turn];
  const cards = action.touched.map((order) =>
    hidden(order) ? "a hidden card" : identityWords(game.deck[order]),
  );
  return `Turn ${turn + 1}: ${textOf(moveNodes(turn))}, touches ${cards.join(", ") || "no card"}`;
}

{
  // A clue highlights the cards that it touched.
  const light = (event) => {
    const row = event.target instanceof Element && event.target.closest(".clue-row");
    const action = row ? game.actions[Number(row.dataset.turn)] : null;
    for (const card of all("#board .card")) {
      const order = Number(card.dataset.order);
      card.classList.toggle("hot", Boolean(action) && action.touched.includes(order));
      card.classList.toggle("dim", Boolean(action) && !action.touched.includes(order));
    }
  };
  for (const kind of ["mouseover", "mouseout", "focusin", "focusout"])
    $("#clues").addEventListener(kind, (event) => light(kind.endsWith("out") ? { target: null } : event));
}
