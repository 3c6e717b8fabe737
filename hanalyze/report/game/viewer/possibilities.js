// The possible identities of a card, shown beside the card, or as a sheet on a narrow screen.

const pop = $("#pop");

// The possible identities of a card for its holder, with the copies that the holder does not see and the joint odds
// (hanalyze/engine/odds.py).
function outlook(order) {
  const { seat } = placeOf(order);
  const turn = game.turns[now.turn];
  // The odds of a teammate's card depend on the viewer's hand, so they are not shown.
  if (isSeatStrict() && seat !== viewer())
    return { cards: inMask(shownMask(order)).map((card) => ({ card, copies: 1 })), chances: [] };
  const cards = inMask(knownMask(order)).map((card) => ({
    card,
    copies: unseenBy(now.turn, seat, bitOf(card)),
  }));
  const [playable, trash, critical] = turn.odds[seat][turn.hands[seat].indexOf(order)];
  return { cards, playable, trash, critical, chances: ["playable", "critical", "trash"] };
}

const percent = (chance) => `${Math.round(100 * chance)}%`;

function showPossibilities(button) {
  const order = Number(button.dataset.order);
  const { seat, slot } = placeOf(order);
  const seen = outlook(order);
  const said = cluesOn(order);
  const count = seen.cards.length;
  const byViewer = seen.chances.length ? [] : [", as far as ", name(viewer()), " can tell"];
  // A log does not tell when a note was written, so a note may reveal later turns.
  const notes = (isStrict() ? [] : game.notes[order] || []).filter(
    ([writer]) => now.view === "all" || writer === now.view,
  );
  const clues = [
    ["Clued", cluesIn(said, true)],
    ["Not", cluesIn(said, false)],
  ].filter(([, names]) => names);
  $(".shown", pop).replaceChildren(
    el(
      "div",
      { class: "heading" },
      name(seat),
      `’s slot ${slot}: ${count === 1 ? "certain" : `${count} possible`}`,
    ),
    el("div", { class: "tiny" }, "Identities that ", name(seat), " considers possible", byViewer, "."),
    ...clues.map(([word, names]) =>
      el("div", { class: `said ${word === "Not" ? "not" : "yes"}` }, el("b", {}, word), " ", names),
    ),
    possibilityGrid(order, seen),
    el(
      "div",
      { class: "chances" },
      seen.chances.map((kind) =>
        el(
          "span",
          { "data-chance": kind },
          `${kind[0].toUpperCase()}${kind.slice(1)} `,
          el("b", {}, percent(seen[kind])),
        ),
      ),
    ),
    el(
      "div",
      { class: "legend" },
      "ring: playable",
      el("span", {}, "dotted: trash"),
      el("span", {}, "×2: copies unseen"),
      hidden(order) ? null : el("span", {}, "thick frame: the real card"),
    ),
    ...notes.map(([writer, text]) =>
      el("div", { class: "note" }, el("b", {}, "Note by ", name(writer), ": "), el("bdi", {}, text)),
    ),
  );
  $("#pop-text").textContent = spokenOutlook(seen, clues);
  pop.hidden = false;
  placeBeside(button);
  for (const row of all("#clues .row")) {
    const turn = Number(row.dataset.turn);
    row.classList.toggle("hit", turn < now.turn && game.actions[turn].touched.includes(order));
  }
}

function spokenOutlook(seen, clues) {
  const list = seen.cards
    .map(({ card, copies }) => identityText(card) + (copies > 1 ? ` times ${copies}` : ""))
    .join(", ");
  const chances = seen.chances
    .map((kind) => `${kind} ${percent(seen[kind])}`)
    .join(", ");
  const start = clues.map(([word, names]) => `${word} ${names}. `).join("");
  return `${start}Could be ${list}.${chances && ` ${chances}.`}`;
}

function possibilityGrid(order, seen) {
  const turn = game.turns[now.turn];
  const copies = new Map(seen.cards.map((one) => [bitOf(one.card), one.copies]));
  const grid = el(
    "div",
    { class: "possible" },
    el("span"),
    game.ranks.map(({ label }) => el("span", { class: "h" }, label)),
    game.suits.map((suit, s) => [
      el("span", { class: `r s${s}` }, suit.letter, shape(s)),
      game.ranks.map(({ rank }) => {
        const bit = s * 8 + rank;
        if (!copies.has(bit)) return el("span", { class: "no" }, "·");
        const real = !hidden(order) && bit === bitOf(game.deck[order]);
        const classes = [
          has(turn.playable, bit) && "playable",
          !has(turn.needed, bit) && "trash",
          real && "real",
        ];
        return el(
          "span",
          { class: `is s${s} ${classes.filter(Boolean).join(" ")}`, "data-card": identityText([s, rank]) },
          identityText([s, rank]),
          copies.get(bit) > 1 ? el("small", {}, `×${copies.get(bit)}`) : null,
        );
      }),
    ]),
  );
  grid.style.setProperty("--ranks", game.ranks.length);
  return grid;
}

function placeBeside(button) {
  pop.classList.toggle("sheet", window.innerWidth < 760);
  pop.style.left = pop.style.top = pop.style.bottom = "";
  const card = button.getBoundingClientRect();
  if (window.innerWidth < 760) {
    // If a frame is as high as the page, its lower edge may be out of sight.
    if (document.documentElement.classList.contains("framed"))
      Object.assign(pop.style, { top: `${card.bottom + 8}px`, bottom: "auto" });
    return;
  }
  const { width, height } = pop.getBoundingClientRect();
  let left = card.right + 12;
  if (left + width > window.innerWidth - 8) left = card.left - width - 12;
  const top = Math.min(card.top - 40, window.innerHeight - height - 8);
  pop.style.left = `${Math.max(8, left)}px`;
  pop.style.top = `${Math.max(8, top)}px`;
}

function hidePossibilities() {
  pop.hidden = true;
  $("#pop-text").textContent = "";
  for (const row of all("#clues .row.hit")) row.classList.remove("hit");
}

{
  const hands = $("#board .hands");
  const cardAt = (event) => event.target instanceof Element && event.target.closest(".card");
  const show = (event) => {
    const card = cardAt(event);
    if (card && !now.line) showPossibilities(card);
  };
  hands.addEventListener("mouseover", show);
  hands.addEventListener("focusin", show);
  hands.addEventListener("click", show);
  hands.addEventListener("mouseout", (event) => {
    const to = event.relatedTarget;
    if (!(to instanceof Element && to.closest(".card, #pop")) && !hands.contains(document.activeElement))
      hidePossibilities();
  });
  hands.addEventListener("focusout", (event) => {
    if (!(event.relatedTarget instanceof Element && event.relatedTarget.closest(".card")))
      hidePossibilities();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!(event.target instanceof Element && event.target.closest(".card, #pop"))) hidePossibilities();
  });
}
