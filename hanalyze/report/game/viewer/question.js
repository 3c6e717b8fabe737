// The panel without a verdict: a question at a marked turn, or a button that opens the verdict.

function drawUnjudged(kind, title, ...children) {
  const kick = el("p", { class: "kick" }, el("span", { class: "quiet" }, kind), count());
  $("#why .text").replaceChildren(kick, el("h2", { id: "verdict", tabindex: -1 }, title), ...children);
  announce();
}

function drawHidden() {
  const props = { type: "button", class: "btn", "data-go": "open" };
  const button = el("button", props, "Show the verdict", el("kbd", {}, "v"));
  const more = el("p", { class: "tiny" }, "It uses all cards and later turns, so it may reveal more than was known.");
  drawUnjudged("Without spoilers", moveNodes(now.turn), el("p", { class: "unopened" }, button), more);
}

// Ask for the move of a marked turn. An answer is [kind, order] or ["clue", seat, row, index].
function drawQuestion() {
  const seat = viewer();
  const { hands, tokens } = game.turns[now.turn];
  const answer = (said, label, spoken) => {
    const props = { type: "button", class: "btn", "data-answer": JSON.stringify(said), "aria-label": spoken };
    return el("button", props, label);
  };
  const group = (title, buttons) => {
    const props = { class: "answers", role: "group", "aria-label": textOf(title) };
    return el("div", props, el("b", {}, title), el("span", {}, buttons));
  };
  const slots = (kind) =>
    [...hands[seat]].reverse().map((order, i) => answer([kind, order], i + 1, `${kind} slot ${i + 1}`));
  const clues = (to) =>
    game.clues.flatMap((row, r) =>
      row.flatMap((clue, i) => {
        const touches = game.silent || hands[to].some((order) => has(clue.touch, bitOf(game.deck[order])));
        const spoken = `clue ${clue.name} to ${game.players[to]}`;
        return touches ? answer(["clue", to, r, i], clueChip(clue), spoken) : [];
      }),
    );
  const others = [...game.players.keys()].filter((other) => other !== seat && tokens >= 1);
  drawUnjudged(
    "What would you do?",
    [name(seat), " is to move"],
    group("Play slot", slots("play")),
    tokens < game.tokens ? group("Discard slot", slots("discard")) : "",
    ...others.map((to) => group(["Clue ", name(to)], clues(to))),
  );
}

const sameAnswer = ([kind, ...rest], action) =>
  action !== null &&
  kind === action.kind &&
  rest.join() === (kind === "clue" ? [action.to, ...action.clue] : [action.order]).join();

// The better move as an action; null if it does not name one.
function betterAction() {
  const { title = [], drawn } = betterHere() ?? {};
  const part = (key) => title.find((one) => one[key] !== undefined)?.[key];
  if (part("clue")) return { kind: "clue", to: part("seat"), clue: part("clue") };
  return drawn ? { kind: drawn.tag.slice(0, -1), order: drawn.orders[0] } : null;
}

// The reader's answer on this turn, compared with the better move and the move of the game.
function yourAnswer() {
  const said = revealed.get(now.turn);
  if (!said) return null;
  const [kind, at, r, i] = said;
  const words =
    kind === "clue" ? ["clue ", name(at), ` ${game.clues[r][i].name}`] : [`${kind} slot ${placeOf(at).slot}`];
  const judged = sameAnswer(said, betterAction())
    ? ": the better move"
    : sameAnswer(said, game.actions[now.turn])
      ? ": the move of the game"
      : betterHere()
        ? ": neither the move of the game nor the better move"
        : ": not the move of the game";
  const moves = game.verdicts[now.turn]?.moves ?? [];
  const isIt = ([title]) => textOf(partNodes(title)).startsWith(textOf(words));
  const effect = moves.find(isIt)?.[1];
  const known = effect ? ["; ", partNodes(effect)] : "";
  return el("p", { class: "answer" }, el("b", {}, "Your answer: "), words, judged, known);
}
