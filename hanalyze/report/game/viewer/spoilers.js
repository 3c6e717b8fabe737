// What the page leaves out: later turns and hidden cards without spoilers, and the move and verdict of a turn
// that it asks about.

// The turns whose verdict was opened, with the answer if the page had asked.
const revealed = new Map();

// Whether the page may ask about a turn, and whether it asks now: what would you do? It does not ask where
// nobody is to blame.
const isBlamed = (turn) => game.marks.some((mark) => mark.turn === turn && mark.sign !== "none");
const isQuestion = (turn) =>
  now.guess && isBlamed(turn) && (now.view === "all" || game.turns[turn].seat === now.view);
const isAsking = () => isQuestion(now.turn) && !revealed.has(now.turn) && !now.line;

// The seat whose knowledge the page shows, or "all"; a question shows what the player to move knew.
const viewer = () => (isAsking() ? game.turns[now.turn].seat : now.view);
const isStrict = () => now.strict || isAsking();
const isSeatStrict = () => isStrict() && viewer() !== "all";

// The number of moves that the page may show. Without spoilers the last of them is the move on the board, whose
// result belongs to the next position.
const shownMoves = () => (isStrict() ? now.turn + (isAsking() ? 0 : 1) : lastTurn);
const horizon = () => (isStrict() ? now.turn : lastTurn);
const isMisplay = ({ result, order }) => result === "misplayed" && !(isStrict() && goneAt(order) >= now.turn);

// Verdicts judge with later turns and hidden cards, so without spoilers each waits until it is opened.
const isVerdictHidden = (turn) =>
  (isStrict() && turn > now.turn) ||
  (turn < lastTurn && !revealed.has(turn) && (isStrict() || isQuestion(turn)));

// Whether what the player to move knew may be shown: without spoilers only to this player, as it depends on cards
// that other players do not see.
const isOwn = () => !isSeatStrict() || game.turns[now.turn].seat === viewer();
const betterHere = () => (isOwn() ? game.verdicts[now.turn]?.better : undefined);

// The heading of a game names its costliest turns; at the end all may be told.
const isAllTold = () => (!now.strict && !now.guess) || now.turn === lastTurn;

// The heading, the numbers of the game and of its players.
function drawTop() {
  const names = game.players.flatMap((_, seat) => [
    seat ? (seat === seats - 1 ? " and " : ", ") : "",
    name(seat),
  ]);
  const told = isAllTold();
  document.title = `Review: ${told ? game.heading : textOf(names)}`;
  $("h1").replaceChildren(...names, told ? `: ${game.score} of ${game.full}` : "");
  const about = told ? [game.about, game.headline, game.level, game.luck] : [`${game.variant}, ${seats} players.`];
  // A frame in a notebook cannot open windows.
  const hasLink = game.site && told && window.location.protocol !== "about:";
  const props = { id: "site", target: "_blank", rel: "noopener noreferrer" };
  const address = `${game.site}#${now.turn + 1}`;
  const link = hasLink ? el("a", { ...props, href: address }, "This turn on hanab.live") : "";
  $(".meta").replaceChildren(about.filter(Boolean).join(" "), " ", link);
  for (const mode of ["strict", "guess"])
    $(`[data-go=${mode}]`).setAttribute("aria-pressed", String(now[mode]));
  $("#defects").hidden = !told || !game.defects.length;
  $("#players").hidden = !told;
  $("#defects").replaceChildren(...(told ? defects() : []));
  $("#players").replaceChildren(...(told ? [el("h2", {}, "The players"), playersTable()] : []));
}

function defects() {
  const followed = `The log can be followed for ${plural(lastTurn, "turn")}; what comes later is not shown.`;
  const lines = game.defects.map((line) => el("li", {}, line));
  return [el("p", {}, el("b", {}, game.stopped ? followed : "The log breaks a rule.")), el("ul", {}, lines)];
}

function playersTable() {
  const heads = game.summary.titles.map((title) => el("th", { scope: "col" }, title));
  const rows = game.summary.players.map(([player, ...numbers]) => {
    const cells = numbers.map((one) => el("td", {}, String(one)));
    return el("tr", {}, el("th", { scope: "row" }, el("bdi", {}, player)), cells);
  });
  const body = [el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows)];
  return el("table", { class: "players-table" }, body);
}

// --- what a player can work out of a teammate's hand ---------------------------------------------------

// The identities of a teammate's card that its holder may have to allow for, for all that the viewer knows. The
// holder sees the viewer's hand, the viewer does not: an identity counts if it, the holder's other clued cards
// and the viewer's clued cards can be laid out at once, the latter without the copies that the viewer sees in the
// holder's hand.
function workedOut(order) {
  const { seat } = placeOf(order);
  const { hands } = game.turns[now.turn];
  const copies = identities.flatMap((card) => {
    const seen = hands[seat].filter((one) => identityText(game.deck[one]) === identityText(card)).length;
    const unseen = unseenBy(now.turn, viewer(), bitOf(card));
    return Array.from({ length: seen + unseen }, (_, i) => ({ bit: bitOf(card), own: i < unseen }));
  });
  const isClued = (one) => one !== order && !game.silent && cluesOn(one).length > 0;
  const clued = (hand) => hand.filter(isClued).map(byClues);
  const own = clued(hands[viewer()]).map((mask) => ({ mask, own: true }));
  const others = [...clued(hands[seat]).map((mask) => ({ mask })), ...own];
  const fits = (card) => canLayOut([{ mask: 2 ** bitOf(card) }, ...others], copies);
  return maskOf(inMask(byClues(order)).filter(fits));
}

const maskOf = (cards) => cards.reduce((mask, card) => mask + 2 ** bitOf(card), 0);

// The identities that the clues of a card allow.
const byClues = (order) =>
  maskOf(
    identities.filter((card) =>
      cluesOn(order).every(
        ({ at, touched }) => game.silent || has(game.clues[at[0]][at[1]].touch, bitOf(card)) === touched,
      ),
    ),
  );

// Whether each card can have a copy of its own (Kuhn's algorithm); the viewer's cards only `own` copies.
function canLayOut(cards, copies) {
  const users = new Map();
  const takes = (card, tried) =>
    copies.some(({ bit, own }, i) => {
      if (tried.has(i) || !has(card.mask, bit) || (card.own && !own)) return false;
      tried.add(i);
      if (users.has(i) && !takes(users.get(i), tried)) return false;
      users.set(i, card);
      return true;
    });
  return cards.every((card) => takes(card, new Set()));
}

// The mask of a card that the view shows.
const workedOutMasks = new Map();
function shownMask(order) {
  const place = placeOf(order);
  if (!isSeatStrict() || !place || place.seat === viewer()) return knownMask(order);
  const key = [now.turn, viewer(), order].join();
  if (!workedOutMasks.has(key)) workedOutMasks.set(key, workedOut(order));
  return workedOutMasks.get(key);
}
