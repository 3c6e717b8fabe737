// Hidden contents: later turns and hidden cards on a page without spoilers; the move and the verdict of a turn that the
// page asks about.

// The turns whose verdict was opened, each with the reader's answer; null if the page had not asked.
const revealed = new Map();

// Whether the page may ask for the move of a turn, and whether it asks now. It does not ask where nobody is to blame.
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

// Verdicts use later turns and hidden cards, so without spoilers each is hidden until the reader opens it.
const isVerdictHidden = (turn) =>
  (isStrict() && turn > now.turn) ||
  (turn < lastTurn && !revealed.has(turn) && (isStrict() || isQuestion(turn)));

// Whether the page may show the knowledge of the player to move: in the view of another player without spoilers it may
// not, because this knowledge depends on cards that the other player does not see.
const isOwn = () => !isSeatStrict() || game.turns[now.turn].seat === viewer();
const betterHere = () => (isOwn() ? game.verdicts[now.turn]?.better : undefined);

// The score and the headline, which names the costliest turns, are hidden until the end of the game if the page hides
// spoilers or asks for moves.
const isScoreShown = () => (!now.strict && !now.guess) || now.turn === lastTurn;

// Draw the heading, and the numbers of the game and of its players.
function drawTop() {
  const names = game.players.flatMap((_, seat) => [
    seat ? (seat === seats - 1 ? " and " : ", ") : "",
    name(seat),
  ]);
  const isShown = isScoreShown();
  document.title = `Review: ${isShown ? game.heading : textOf(names)}`;
  $("h1").replaceChildren(...names, isShown ? `: ${game.score} of ${game.full}` : "");
  const about = isShown ? [game.about, game.headline, game.level, game.luck] : [`${game.variant}, ${seats} players.`];
  // A frame in a notebook cannot open windows.
  const hasLink = game.site && isShown && window.location.protocol !== "about:";
  const props = { id: "site", target: "_blank", rel: "noopener noreferrer" };
  const address = `${game.site}#${now.turn + 1}`;
  const link = hasLink ? el("a", { ...props, href: address }, "This turn on hanab.live") : "";
  $(".meta").replaceChildren(about.filter(Boolean).join(" "), " ", link);
  for (const mode of ["strict", "guess"])
    $(`[data-go=${mode}]`).setAttribute("aria-pressed", String(now[mode]));
  $("#defects").hidden = !isShown || !game.defects.length;
  $("#players").hidden = !isShown;
  $("#defects").replaceChildren(...(isShown ? defects() : []));
  $("#players").replaceChildren(...(isShown ? [el("h2", {}, "The players"), playersTable()] : []));
}

function defects() {
  const stopped = `The log is valid for ${plural(lastTurn, "turn")}; later actions are not shown.`;
  const lines = game.defects.map((line) => el("li", {}, line));
  return [el("p", {}, el("b", {}, game.stopped ? stopped : "The log breaks a rule.")), el("ul", {}, lines)];
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

// --- a player's deductions about a teammate's hand -----------------------------------------------------

// The identities of a teammate's card that its holder may consider possible, as far as the viewer can tell. The holder
// sees the viewer's hand, but the viewer does not. An identity counts if there are separate copies for it, for the
// holder's other clued cards and for the viewer's clued cards; the viewer's cards take no copy that the holder has.
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

// Whether each card can be assigned a separate copy (Kuhn's algorithm for matchings). The viewer's cards (`own`) take
// only copies marked `own`.
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

// The possible identities of a card that the view shows, as a mask.
const workedOutMasks = new Map();
function shownMask(order) {
  const place = placeOf(order);
  if (!isSeatStrict() || !place || place.seat === viewer()) return knownMask(order);
  const key = [now.turn, viewer(), order].join();
  if (!workedOutMasks.has(key)) workedOutMasks.set(key, workedOut(order));
  return workedOutMasks.get(key);
}
