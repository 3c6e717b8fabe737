// The better line of a turn, shown step by step on the board with open cards. The page has the changes of each move
// (line_steps in hanalyze/report/game/positions.py).

const mapped = (list, parts = {}) => list.map((one, i) => parts[i] ?? one);

// The positions of a line, before its first move and after each move.
function linePositions(line) {
  const positions = [{ ...game.turns[now.turn], card_marks: {} }];
  for (const [, change] of line) {
    const last = positions.at(-1);
    positions.push({
      ...last,
      ...change,
      hands: mapped(last.hands, change.hands),
      stacks: mapped(last.stacks, change.stacks),
      discards: [...last.discards, change.discards ?? []].flat(),
      lost: 0,
      needs: null,
    });
  }
  return positions;
}

function startLine(at = 0) {
  const { line = [] } = lossHere() ?? {};
  if (!line.length) return;
  const actions = line.map(([action]) => action);
  Object.assign(now, { view: "all", better: false, line: { actions, positions: linePositions(line) } });
  stepLine(at);
  if (window.innerWidth < 760) $("#board").scrollIntoView();
}

function stepLine(at, { playing } = {}) {
  if (!playing) stop();
  now.line.at = Math.max(0, Math.min(now.line.actions.length, at));
  writeAddress();
  draw();
}

function leaveLine() {
  go(now.turn);
  toggle("hindsight");
}

// The clues to the hand of a card (by order) in the line, before the current position.
const cluesInLine = (order) =>
  (now.line ? now.line.actions.slice(0, now.line.at) : [])
    .filter(({ touched = [], missed = [] }) => touched.includes(order) || missed.includes(order))
    .map(({ clue, touched }) => ({ at: clue, touched: touched.includes(order) }));

// --- beside the board ----------------------------------------------------------------------------------

const lineTitle = () => `With all cards open: a line to ${plural(lossHere().goal, "point")}`;

// The moves of the line, as links to their positions.
function lineMoves() {
  let { seat, score } = game.turns[now.turn];
  const rows = lossHere().line.map(([action, change], i) => {
    const mover = seat;
    seat = change.seat ?? seat;
    score = change.score ?? score;
    const number = el("span", { class: "number" }, now.turn + i + 1);
    const words = [el("span", {}, actionNodes(action, mover)), el("span", { class: "after" }, score)];
    const current = now.line?.at === i ? "step" : null;
    const props = { type: "button", "data-step": i, "data-key": `step ${i}`, "aria-current": current };
    return el("li", {}, el("button", props, number, words));
  });
  return el("ol", { class: "moves", "aria-label": lineTitle() }, rows);
}

function lineButton() {
  const props = { type: "button", class: "btn play-line", "data-go": "line", "data-key": "line" };
  return el("button", props, now.line ? "Back to the game" : "Show on the board", el("kbd", {}, "l"));
}

// The move that is drawn on the board.
function lineMove() {
  const { score, seat } = position();
  return actionHere() ? actionNodes(actionHere(), seat) : [`The line reached ${plural(score, "point")}`];
}

// The panel while the board shows a line; it replaces the verdict.
function drawLine() {
  const { at, actions } = now.line;
  const where = at < actions.length ? `Move ${at + 1} of ${actions.length}` : "The end of the line";
  const list = lineMoves();
  const kick = [el("span", {}, glyph("eye"), " In hindsight"), el("span", { class: "count" }, where)];
  const title = el("h2", { id: "verdict", tabindex: -1 }, lineTitle());
  $("#why .text").replaceChildren(el("p", { class: "kick" }, kick), title, list);
  $("#said").textContent = `${where}: ${textOf(lineMove())}`;
  scrollIn(list, $("[aria-current]", list));
}
