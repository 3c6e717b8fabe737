// Beside the board: what this turn was, with what was known, the odds and the better move; marks and clues.

function drawWhy() {
  const marks = marksAt(now.turn);
  const [first, ...rest] = marks;
  const action = game.actions[now.turn];
  const text = [];
  const turn = capital(turnWord(now.turn));
  text.push(first ? kindLine(first, `${turn}: `) : el("p", { class: "kind plain" }, turn));
  text.push(el("h2", {}, moveNodes(now.turn)));
  if (first) text.push(...verdict(first));
  else text.push(plainTurn(action));
  text.push(...meaning());
  for (const mark of rest) text.push(el("div", { class: "also" }, kindLine(mark, ""), verdict(mark)));
  const seat = game.turns[now.turn].seat;
  if (first && game.decisions[now.turn])
    text.push(
      el("h3", {}, "What ", name(seat), " knew"),
      el(
        "ul",
        {},
        game.decisions[now.turn].map((sentence) => el("li", {}, sentence)),
      ),
    );
  if (action && action.kind !== "end") text.push(...oddsTable(seat, action));
  text.push(...betterMove());
  $("#why .text").replaceChildren(...text.filter(Boolean));
}

// What the move meant by the conventions, and what became of that.
function meaning() {
  const found = game.meanings[now.turn] || [];
  if (!found.length) return [];
  return [
    el("h3", {}, "What it meant"),
    el(
      "ul",
      { class: "meanings" },
      found.map((one) =>
        el(
          "li",
          { "data-convention": one.name },
          el("b", { title: `Level ${one.level}: ${one.definition}` }, partNodes(one.parts)),
          one.why ? `; ${one.why}` : "",
          one.outcome ? `; ${one.outcome}` : "",
          ".",
        ),
      ),
    ),
  ];
}

// The sign and title of a mark; the title opens the definition.
function kindLine(mark, before) {
  const term = { type: "button", class: "term", "data-kind": mark.kind, title: "What this means" };
  return el(
    "p",
    { class: `kind ${mark.sign}` },
    sign(mark.sign),
    el("span", {}, before),
    isVeiled(mark)
      ? el("span", {}, titleOf(mark))
      : el("button", { ...term, "data-key": `term ${mark.turn} ${mark.kind}` }, titleOf(mark)),
  );
}

function verdict(mark) {
  const costs = [
    mark.points && plural(mark.points, "point"),
    mark.tokens && plural(mark.tokens, "clue token"),
    mark.pace && `${mark.pace} pace`,
  ].filter(Boolean);
  const evidence = partNodes(mark.evidence);
  if (typeof evidence[0] === "string") evidence[0] = capital(evidence[0]);
  return [
    el("p", { class: "evidence" }, evidence, "."),
    el(
      "p",
      {},
      el("b", {}, mark.severity.replaceAll("_", " ")),
      mark.severity in game.severities ? `: ${game.severities[mark.severity]}.` : ".",
      costs.length ? ` Cost: ${costs.join(", ")}.` : "",
    ),
  ];
}

function plainTurn(action) {
  if (!action) {
    const turn = game.turns[now.turn];
    return el("p", {}, `Score ${turn.score} of ${turn.max} still possible.`);
  }
  if (action.kind !== "clue") return el("p", {}, "Nothing is marked on this turn.");
  const more = game.turns[now.turn + 1].gotten - game.turns[now.turn].gotten;
  return el(
    "p",
    {},
    action.touched.length
      ? ["Touches ", action.touched.map((order) => [cardChip(order), " "])]
      : "Touches no card. ",
    more > 0 ? el("b", {}, `Gets ${plural(more, "card")}.`) : "Gets no card.",
  );
}

function oddsTable(seat, action) {
  const hand = [...game.turns[now.turn].hands[seat]].reverse();
  if (!hand.length) return [];
  const cell = (chance) => el("td", { class: chance < 0.005 ? "zero" : "" }, Math.round(100 * chance));
  const rows = hand.map((order, i) => {
    const seen = outlook(order);
    const count = seen.cards.length;
    return el(
      "tr",
      { class: order === action.order ? "me" : "", "data-order": order },
      el("th", { scope: "row" }, i + 1, " ", cardChip(order)),
      el("td", {}, count === 1 ? "certain" : count),
      cell(seen.playable),
      cell(seen.critical),
      cell(seen.trash),
    );
  });
  const head = ["slot", "could be", "playable", "critical", "trash"].map((word) =>
    el("th", { scope: "col" }, word),
  );
  return [
    el("h3", {}, "What ", name(seat), "’s cards could be, for all ", name(seat), " knew"),
    el("table", { class: "odds" }, el("tr", {}, head), rows),
    el("p", { class: "tiny" }, "Chances in per cent, weighted by unseen copies."),
  ];
}

function betterMove() {
  const mark = betterMark(now.turn);
  if (!mark) return [];
  const nodes = partNodes(mark.better);
  if (typeof nodes[0] === "string") nodes[0] = capital(nodes[0]);
  const button =
    betterOrder() === null
      ? null
      : el(
          "button",
          {
            type: "button",
            class: "btn",
            id: "better",
            "data-key": "better",
            "aria-pressed": String(now.better),
          },
          now.better ? "Show the move made" : "Show on the board",
        );
  return [
    el("h3", {}, "Better"),
    el("div", { class: "better" }, el("p", {}, el("b", {}, nodes, ".")), button),
  ];
}

// --- lists ---------------------------------------------------------------------------------------------

function drawMarks() {
  $("#marks h2 .tiny").textContent = markedTurns.length;
  const rows = markedTurns.map((turn) =>
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
          marksAt(turn).map((mark) => el("span", { class: "tiny line" }, titleOf(mark))),
        ),
      ),
    ),
  );
  const none = el("li", { class: "nothing" }, "No mistake was found in this game.");
  const list = $("#marks ol");
  list.replaceChildren(...(rows.length ? rows : [none]));
  // A long list scrolls in its box: what is current stays in sight.
  const current = $("[aria-current]", list);
  if (rows.length < 10 || !current) return;
  const below = current.offsetTop - list.offsetTop;
  if (below < list.scrollTop || below > list.scrollTop + list.clientHeight - 80)
    list.scrollTop = below - list.clientHeight / 2;
}

const clueTurns = game.actions.map((_, turn) => turn).filter((turn) => game.actions[turn].kind === "clue");

let cluesShown = "";

function drawClues() {
  $("#clues h2 .tiny").textContent = clueTurns.length;
  const words = clueTurns.map(clueWords);
  const text = words.join("\n");
  if (text !== cluesShown)
    $("#clues ol").replaceChildren(...clueTurns.map((turn, i) => clueRow(turn, words[i])));
  cluesShown = text;
  for (const row of all("#clues .row")) {
    const turn = Number(row.dataset.turn);
    row.classList.toggle("later", turn > now.turn);
    if (turn === now.turn) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
  // On a narrow screen the list scrolls in its box.
  if (window.innerWidth >= 760) return;
  const scroll = $("#clues .scroll");
  const current = all("#clues .row")
    .filter((row) => Number(row.dataset.turn) <= now.turn)
    .at(-1);
  if (current) scroll.scrollTop = current.offsetTop - scroll.offsetTop - 120;
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
        clueChip(action),
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

// --- definitions ---------------------------------------------------------------------------------------

function showDefinition(kind) {
  const { title, definition, source } = game.kinds[kind];
  const box = el(
    "dialog",
    { class: "definition", "aria-labelledby": "definition-title" },
    el("h2", { id: "definition-title" }, title),
    el("p", {}, definition),
    source ? el("p", { class: "small" }, el("b", {}, "Source: "), source) : null,
    el(
      "p",
      { class: "small" },
      el("b", {}, "Query: "),
      el("code", {}, `hanalyze mistakes --explain ${kind}`),
    ),
    el("form", { method: "dialog" }, el("button", { class: "btn" }, "Close")),
  );
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
}

{
  // A clue lights the cards that it was about.
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
