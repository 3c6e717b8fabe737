// The timeline: marks, a strip of moves per player, and score, pace and cards per clue by turn.

function drawTimeline(width) {
  const chart = $("#timeline .chart");
  const narrow = width < 560;
  const left = narrow ? 50 : 64;
  const right = narrow ? 12 : 154;
  // Without spoilers the axis does not show how long the game is.
  const step = (width - left - right) / (isStrict() ? Math.max(30, now.turn + 1) : lastTurn + 1);
  const plan = {
    width,
    narrow,
    left,
    right,
    step,
    top: 16,
    parts: [],
    x: (turn) => left + step * (turn + 0.5),
  };
  drawMarkLane(plan);
  drawStrips(plan);
  plan.top += 14;
  drawScores(plan);
  drawPace(plan);
  drawRatio(plan);
  drawAxis(plan);
  const height = plan.top;
  const cursor = svg("rect", {
    class: "cursor",
    x: plan.x(now.turn) - Math.max(step / 2, 3),
    y: 4,
    width: Math.max(step, 6),
    height: height - 22,
    rx: 3,
  });
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": timelineWords() },
    cursor,
    plan.parts,
  );
  drawing.addEventListener("click", (event) => {
    const part = event.target.closest("[data-turn]");
    const at = Math.floor((event.clientX - drawing.getBoundingClientRect().left - left) / step);
    if (part) leapTo(Number(part.getAttribute("data-turn")));
    else if (at >= 0 && at <= horizon()) leapTo(at);
  });
  chart.replaceChildren(drawing);
  const note = $("#timeline .hindsight");
  note.hidden = !openCards();
  const sentence = [el("b", {}, "In hindsight. "), partNodes(game.solved.sentence)];
  note.replaceChildren(...(openCards() ? [glyph("eye"), el("span", {}, sentence)] : []));
}

// Hindsight is shown only in the view of all hands, and only with spoilers.
const openCards = () => viewer() === "all" && !isStrict();

function timelineWords() {
  const turn = game.turns[now.turn];
  return (
    `Marks, moves, score, pace and cards per clue over ${plural(horizon(), "turn")}. ` +
    `${capital(turnWord(now.turn))}: score ${turn.score},` +
    ` ${turn.max} still possible${bestWords()}, pace ${signed(turn.pace, "none")}.`
  );
}

function bestWords() {
  const [low, high] = [game.solved.low[now.turn], game.solved.high[now.turn]];
  if (!openCards() || low === undefined) return "";
  return `, ${low === high ? low : `${low} to ${high}`} at best with open cards`;
}

function label(x, y, text, options = {}) {
  return svg(
    "text",
    {
      x,
      y,
      "text-anchor": options.anchor,
      class: `label ${options.kind || ""} ${options.halo ? "halo" : ""}`,
    },
    text,
  );
}

function drawMarkLane(plan) {
  plan.parts.push(label(plan.left - 8, plan.top, "marks", { anchor: "end" }));
  for (const turn of shownMarks()) {
    const kind = signOf(turn);
    plan.parts.push(
      svg(
        "g",
        {
          class: `mark ${kind}`,
          "data-turn": turn,
          transform: `translate(${plan.x(turn) - 6.5},${plan.top - 11})`,
        },
        svg(
          "title",
          {},
          `Turn ${turn + 1}: ${marksAt(turn)
            .map((mark) => titleOf(mark))
            .join("; ")}`,
        ),
        svg("rect", { x: -3, y: -4, width: 19, height: 20, class: "target" }),
        svg("use", { href: `#i-${kind}`, width: 13, height: 13 }),
      ),
    );
  }
  plan.top += 12;
}

// A text cut to a width in pixels, with an ellipsis.
const pen = document.createElement("canvas").getContext("2d");
function fitting(text, width) {
  pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const letters = [...text];
  if (pen.measureText(text).width <= width) return text;
  while (letters.length > 1 && pen.measureText(letters.join("") + "…").width > width) letters.pop();
  return letters.join("") + "…";
}

function drawStrips(plan) {
  const high = 22;
  for (let seat = 0; seat < seats; seat++) {
    const short = fitting(game.players[seat], plan.left - 12);
    plan.parts.push(label(plan.left - 8, plan.top + high / 2 + 4, short, { anchor: "end", kind: "name" }));
    const turns = shownActions()
      .map((_, turn) => turn)
      .filter((turn) => game.turns[turn].seat === seat && game.actions[turn].kind !== "end");
    turns.forEach((turn, i) => {
      const x = plan.left + plan.step * turn;
      const until = Math.min(i + 1 < turns.length ? turns[i + 1] : turn + seats, turn + seats);
      const wide = Math.max(3, Math.min(plan.step * (until - turn), plan.width - x) - 2);
      plan.parts.push(stripCell(turn, x, plan.top, wide, high, plan.narrow));
    });
    plan.top += high;
  }
}

function stripCell(turn, x, y, wide, high, narrow) {
  const action = game.actions[turn];
  const is = {
    clue: "clued",
    discard: "discarded",
    play: isMisplay(action) ? "misplayed" : "played",
  }[action.kind];
  const secret = action.kind !== "clue" && hidden(action.order);
  const suit = action.kind !== "clue" && !secret ? `s${game.deck[action.order][0]}` : "";
  const small = narrow || wide < 16;
  const clue = small ? "" : "› ";
  const text = action.kind === "clue" ? clue + clueOf(action).letter : cardText(action.order);
  // In a narrow cell the rank stands below the letter.
  const lines = small ? [...text] : [text];
  const first = y + high / 2 + (small ? 5.5 - 4 * lines.length : 2.6);
  return svg(
    "g",
    {
      class: `cell ${is} ${suit} ${secret ? "secret" : ""} ${turn === now.turn ? "now" : ""}`,
      "data-turn": turn,
    },
    svg("title", {}, `Turn ${turn + 1}: ${textOf(moveNodes(turn))}`),
    svg("rect", { x, y, width: wide, height: high - 3, rx: 3.5 }),
    lines.map((one, i) => {
      const at = { x: x + wide / 2, y: first + 8 * i, "text-anchor": "middle" };
      return svg("text", { ...at, class: small ? "small" : "" }, one);
    }),
  );
}

// --- lines ---------------------------------------------------------------------------------------------

function lane(plan, high, low, most) {
  const top = plan.top;
  plan.top += high + 20;
  return (value) => top + high - ((Math.max(low, Math.min(most, value)) - low) / (most - low)) * high;
}

function grid(plan, y, text) {
  plan.parts.push(
    svg("line", { class: "grid", x1: plan.left, x2: plan.width - plan.right, y1: y, y2: y }),
    label(plan.left - 8, y + 4, text, { anchor: "end" }),
  );
}

// A line through the values by turn, in steps or straight, with gaps where there is no value.
function line(plan, values, y, kind, steps) {
  let path = "";
  let drawing = false;
  values.forEach((value, turn) => {
    if (value === null) {
      drawing = false;
      return;
    }
    const [x, at] = [plan.x(turn).toFixed(1), y(value).toFixed(1)];
    path += drawing ? (steps ? `H${x}V${at}` : `L${x} ${at}`) : `M${x} ${at}`;
    drawing = true;
  });
  plan.parts.push(svg("path", { class: `line ${kind}`, d: path }));
}

// Names of lines, at their ends without overlap; on a narrow screen inside the chart, at `inside` if given.
function lineNames(plan, names) {
  if (plan.narrow) {
    for (const one of names.filter(({ inside }) => inside))
      plan.parts.push(
        label(one.inside[0], one.inside[1], one.text, { kind: `line-name ${one.kind}`, halo: true }),
      );
    return;
  }
  names.sort((a, b) => a.y - b.y);
  names.forEach((one, i) => {
    if (i) one.y = Math.max(one.y, names[i - 1].y + 15);
  });
  for (const one of names)
    plan.parts.push(
      label(plan.width - plan.right + 8, one.y + 4, one.text, { kind: `line-name ${one.kind}` }),
    );
}

function valueHere(plan, value, y, kind, text, below = false) {
  if (value === null) return;
  const [x, at] = [plan.x(now.turn), y(value)];
  const near = x > plan.width - plan.right - 30;
  plan.parts.push(
    svg("circle", { class: `dot ${kind}`, cx: x, cy: at, r: 4 }),
    label(near ? x - 7 : x + 7, at + (below ? 16 : -5), text, {
      kind: `here ${kind}`,
      halo: true,
      anchor: near ? "end" : "start",
    }),
  );
}

const shownActions = () => game.actions.slice(0, shownMoves());
const shownTurns = () => game.turns.slice(0, horizon() + 1);

function drawScores(plan) {
  const scores = shownTurns().map((turn) => turn.score);
  const most = shownTurns().map((turn) => turn.max);
  const y = lane(plan, plan.narrow ? 84 : 76, 0, game.full);
  grid(plan, y(0), 0);
  grid(plan, y(game.full), game.full);
  const area = scores.map((value, turn) => `H${plan.x(turn).toFixed(1)}V${y(value).toFixed(1)}`).join("");
  plan.parts.push(svg("path", { class: "area", d: `M${plan.x(0)} ${y(0)}${area}V${y(0)}Z` }));
  line(plan, most, y, "possible", true);
  const named = openCards() && game.solved.low.length ? [drawBest(plan, y)] : [];
  line(plan, scores, y, "score", true);
  const early = Math.floor(horizon() * 0.3);
  lineNames(plan, [
    {
      text: "still possible",
      kind: "possible",
      y: y(most.at(-1)),
      inside: [plan.left + 4, y(game.full) + 15],
    },
    ...named,
    { text: "score", kind: "score", y: y(scores.at(-1)), inside: [plan.x(early), y(scores[early]) - 8] },
  ]);
  valueHere(plan, scores[now.turn], y, "score", scores[now.turn], scores[now.turn] > 4);
}

// The best score still reachable with open cards, with a mark at each move that lowered it, and a band for turns with
// bounds only. Returns the name of the line.
function drawBest(plan, y) {
  const { low, high, losses } = game.solved;
  low.forEach((least, turn) => {
    if (least === high[turn]) return;
    const x = plan.x(turn);
    const wide = turn < lastTurn ? plan.step : 2;
    plan.parts.push(
      svg("rect", { class: "open", x, y: y(high[turn]), width: wide, height: y(least) - y(high[turn]) }),
    );
  });
  const known = low.map((least, turn) => (least === high[turn] ? least : null));
  line(plan, known, y, "best", true);
  for (const turn of Object.keys(losses).map(Number)) {
    const [x, at] = [plan.x(turn + 1), y(low[turn + 1])];
    const said = `Turn ${turn + 1}: ${textOf(partNodes(losses[turn].text))}`;
    plan.parts.push(
      svg(
        "g",
        { class: "lost", "data-turn": turn },
        svg("title", {}, said),
        svg("rect", { class: "target", x: x - 8, y: at - 8, width: 16, height: 16 }),
        svg("circle", { cx: x, cy: at, r: 3 }),
      ),
    );
  }
  const middle = Math.floor(lastTurn / 2);
  return {
    text: "best with open cards",
    kind: "best",
    y: y(high.at(-1)),
    inside: [plan.x(middle), y(low[middle]) + 15],
  };
}

function drawPace(plan) {
  const paces = shownTurns().map((turn) => turn.pace);
  const known = paces.filter((pace) => pace !== null);
  if (!known.length) return;
  const y = lane(plan, plan.narrow ? 44 : 42, Math.min(0, ...known), Math.max(1, ...known));
  grid(plan, y(0), 0);
  line(plan, paces, y, "pace", true);
  lineNames(plan, [
    {
      text: "pace",
      kind: "pace",
      y: y(known.at(-1)) - 6,
      inside: [plan.left + 4, y(Math.max(...known)) + 16],
    },
    { text: "discards to spare", kind: "", y: y(known.at(-1)) + 9 },
  ]);
  valueHere(plan, paces[now.turn], y, "pace", signed(paces[now.turn], ""));
}

function drawRatio(plan) {
  if (isStrict()) return;
  const ratios = game.turns.map((turn) => (turn.lost ? turn.gotten / turn.lost : null));
  const needs = game.turns.map((turn) => turn.needs);
  const last = ratios.at(-1);
  const lastNeed = needs.filter((value) => value !== null).at(-1);
  const y = lane(plan, plan.narrow ? 56 : 50, 0, 2);
  for (const value of [0, 1, 2]) grid(plan, y(value), value ? value.toFixed(1) : 0);
  line(plan, needs, y, "need", false);
  line(plan, ratios, y, "ratio", false);
  lineNames(plan, [
    {
      text: "cards per clue so far",
      kind: "ratio",
      y: last === null ? y(1) : y(last),
      inside: [plan.x(Math.floor(lastTurn * 0.25)), y(1.62)],
    },
    {
      text: "needed from here",
      kind: "need",
      y: lastNeed === undefined ? y(0.5) : y(lastNeed) + 6,
      inside: [plan.x(Math.floor(lastTurn * 0.25)), y(0.2)],
    },
  ]);
  const here = ratios[now.turn];
  valueHere(plan, here, y, "ratio", here === null ? "" : here.toFixed(2));
}

function drawAxis(plan) {
  const end = isStrict() ? now.turn + 1 : lastTurn;
  const every = end > 120 ? 20 : end > 12 ? 10 : 2;
  for (let turn = every; turn <= end; turn += every)
    plan.parts.push(label(plan.x(turn - 1), plan.top - 6, turn, { anchor: "middle" }));
  plan.parts.push(label(plan.left - 8 - (plan.narrow ? 0 : 4), plan.top - 6, "turn", { anchor: "end" }));
}
