// Navigation: buttons, keys, slider, autoplay, the address.

const AUTO_STEP = 1200;
let timer = null;

const slider = $("#board .transport input");
slider.max = lastTurn;

// The width of the chart is measured only when it may have changed, because each measurement forces a layout.
let chartWidth = 0;
function measure() {
  const before = chartWidth;
  chartWidth = $("#timeline .chart").clientWidth || 800;
  return chartWidth !== before;
}

function draw() {
  const { key: focused, seat: focusedSeat } = (document.activeElement || document.body).dataset || {};
  drawTop();
  drawHead();
  drawTable();
  drawHands();
  drawWhy();
  drawMarks();
  drawClues();
  drawTimeline(chartWidth);
  drawRemarks();
  slider.max = now.line ? now.line.actions.length : lastReached();
  slider.value = now.line ? now.line.at : now.turn;
  const here = now.line ? lineMove() : [`${turnWord(now.turn)}: `, moveHere()];
  slider.setAttribute("aria-valuetext", textOf(here));
  hidePossibilities();
  if (focused && document.activeElement === document.body) {
    // If the focused card has left its hand, focus the newest card of that hand.
    const again =
      all("[data-key]").find((one) => one.dataset.key === focused) ||
      (focusedSeat !== undefined && $(`#board .card[data-seat="${focusedSeat}"]`));
    if (again) again.focus({ preventScroll: true });
  }
}

function drawHead() {
  $("#board").classList.toggle("in-line", Boolean(now.line));
  drawViews();
  if (now.line) {
    const turn = `turn ${now.turn + now.line.at + 1}`;
    $("#board .turn").replaceChildren(glyph("eye"), ` Line with open cards, not played: ${turn}`);
    $("#board .move").replaceChildren(el("span", {}, lineMove()), " ", lineButton());
    return;
  }
  const over = now.turn === lastTurn;
  $("#board .turn").textContent = over ? `After ${plural(lastTurn, "turn")}` : `Turn ${now.turn + 1}${ofTurns()}`;
  const marks = marksAt(now.turn);
  const kind = marks.length ? signOf(now.turn) : null;
  const verdictLink = kind
    ? el(
        "a",
        { class: `kind ${kind}`, href: "#why", id: "to-why" },
        sign(kind),
        " ",
        titleOf(marks[0]),
        marks.length > 1 ? ` and ${marks.length - 1} more` : "",
      )
    : null;
  $("#board .move").replaceChildren(
    el("span", {}, moveHere()),
    ...(verdictLink ? [" ", verdictLink] : []),
  );
}

const moveHere = () => (isAsking() ? [name(viewer()), " is to move"] : moveNodes(now.turn));

function drawViews() {
  const whole = seats > 4 && window.innerWidth < 760 ? "All" : "All hands";
  const button = (view) => {
    const title = view === "all" ? "All hands (0)" : `As ${game.players[view]} sees it (${view + 1})`;
    const pressed = String(now.view === view);
    const props = { type: "button", "data-view": view, "data-key": `view ${view}`, "aria-pressed": pressed, title };
    return el("button", props, view === "all" ? whole : name(view));
  };
  $("#board .views").replaceChildren(...["all", ...game.players.keys()].map(button));
}

// --- position -----------------------------------------------------------------------------------------

function go(turn, { playing = false, leap = false } = {}) {
  if (!playing) stop();
  // Without spoilers, only a single step forward leads past the last turn reached.
  now.turn = Math.max(0, Math.min(turn === now.turn + 1 ? lastTurn : lastReached(), turn));
  forget();
  writeAddress(leap);
  draw();
}

const lastReached = () => (now.strict ? now.reached : lastTurn);

// Reset what belonged to the previous turn; this closes its disclosures.
function forget() {
  now.better = false;
  now.line = null;
  now.reached = Math.max(now.reached, now.turn);
  opened.clear();
}

// Go to a chosen turn, with an entry in the browser's history; single steps make no entry.
const leapTo = (turn) => go(turn, { leap: true });

function look(view) {
  now.view = view;
  now.line = null;
  writeAddress(true);
  draw();
}

// Steps move through the game, or through the line on the board.
const walk = (number, options) =>
  now.line ? stepLine(now.line.at + number, options) : go(now.turn + number, options);
const atEnd = () => (now.line ? now.line.at === now.line.actions.length : now.turn === lastTurn);

const steps = {
  first: () => walk(-Infinity),
  last: () => walk(Infinity),
  back: () => walk(-1),
  on: () => walk(1),
  "round-back": () => walk(-seats),
  "round-on": () => walk(seats),
  "mark-back": () => {
    leapToMark(stops().filter((one) => one < now.turn).at(-1));
  },
  "mark-on": () => {
    leapToMark(stops().find((one) => one > now.turn));
  },
  strict: () => change("strict"),
  guess: () => change("guess"),
  open: () => openVerdict(null),
  comment: () => comment.focus(),
  bookmark: () => remark(null, remarks.get(now.turn)?.[1] ? 0 : 1),
  "copy-link": copyLink,
  save: savePage,
  auto: () => (timer === null ? startPlaying() : stop()),
  better: () => !now.line && betterMove() && showBetter(),
  line: () => (now.line ? leaveLine() : startLine()),
  hindsight: () => toggle("hindsight"),
  definitions: () => toggle("defs"),
};

// The turns that "Previous mistake" and "Next mistake" lead to.
const stops = () => (now.guess ? markedTurns.filter(isQuestion) : shownMarks().filter(isBlamed));

function leapToMark(turn) {
  if (turn === undefined) return;
  now.reached = Math.max(now.reached, turn);
  leapTo(turn);
}

// Switch a mode on or off: "strict" (no spoilers) or "guess" (questions).
function change(mode) {
  now[mode] = !now[mode];
  if (mode === "guess") revealed.clear();
  hideValues();
  now.reached = now.turn;
  look(now.view);
}

// Without spoilers, remove the values from the document, because the browser's search would find them.
function hideValues() {
  if (now.strict) $("#game").textContent = "";
}

// Open the verdict of the turn, with an answer if the page had asked.
function openVerdict(answer) {
  if (!isVerdictHidden(now.turn) || now.turn === lastTurn || (isAsking() && !answer)) return;
  revealed.set(now.turn, answer);
  draw();
  $("#verdict").focus({ preventScroll: true });
}

function startPlaying() {
  if (atEnd()) walk(-Infinity);
  timer = window.setInterval(() => {
    if (atEnd()) stop();
    else walk(1, { playing: true });
  }, AUTO_STEP);
  drawPlaying();
}

function stop() {
  window.clearInterval(timer);
  timer = null;
  drawPlaying();
}

function drawPlaying() {
  const button = $('[data-go="auto"]');
  button.setAttribute("aria-pressed", String(timer !== null));
  button.setAttribute("aria-label", timer === null ? "Play automatically" : "Stop");
  button.replaceChildren(
    glyph(timer === null ? "auto" : "pause"),
    el("span", {}, timer === null ? "Play" : "Stop"),
  );
}

// Write the state and the remarks into the address; a jump makes an entry in the browser's history.
function writeAddress(leap) {
  const address = addressOf(now.turn) + (now.line ? `&line=${now.line.at + 1}` : "") + remarksPart();
  // A frame in a notebook has no address.
  if (address === window.location.hash || window.location.protocol === "about:") return;
  try {
    if (leap) window.history.pushState(null, "", address);
    else window.history.replaceState(null, "", address);
  } catch {
    if (leap) window.location.assign(address);
    else window.location.replace(address);
  }
}

function readAddress() {
  const said = new URLSearchParams(window.location.hash.slice(1));
  const number = (key, most) => (/^\d{1,4}$/.test(said.get(key)) ? Math.min(most, Number(said.get(key))) : 0);
  now.turn = Math.max(0, number("turn", lastTurn + 1) - 1);
  const player = number("view", seats + 1);
  now.view = player >= 1 && player <= seats ? player - 1 : said.has("view") ? "all" : start.view;
  now.strict = said.has("spoilers") ? said.get("spoilers") === "no" : start.strict;
  now.guess = said.get("guess") === "1";
  hideValues();
  return number("line", 1000);
}

// Go to the turn and view of the address.
function visit() {
  const line = readAddress();
  forget();
  if (line) startLine(line - 1);
  if (!now.line) draw();
}

// --- buttons and keys ----------------------------------------------------------------------------------

for (const button of all(".transport .icon")) button.replaceChildren(glyph(button.dataset.go));

document.addEventListener("click", (event) => {
  const at = (selector) => event.target instanceof Element && event.target.closest(selector);
  let found;
  if ((found = at("[data-go]"))) steps[found.dataset.go]();
  else if ((found = at("[data-view]")))
    look(found.dataset.view === "all" ? "all" : Number(found.dataset.view));
  else if ((found = at("[data-def]"))) define(found);
  else if ((found = at("[data-answer]"))) openVerdict(JSON.parse(found.dataset.answer));
  else if ((found = at("button[data-turn], a[data-turn]"))) {
    event.preventDefault();
    leapTo(Number(found.dataset.turn));
    if (window.innerWidth < 760) $("#board").scrollIntoView();
  } else if ((found = at("[data-step]"))) startLine(Number(found.dataset.step));
  else if (at("#better")) showBetter();
  else if (at("#to-why")) {
    event.preventDefault();
    $("#why").scrollIntoView({ block: "nearest" });
    $("#verdict").focus({ preventScroll: true });
  } else if (at("#legend")) $("#help").showModal();
});

slider.addEventListener("input", () => walk(slider.value - (now.line ? now.line.at : now.turn)));

const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "on",
  Home: "first",
  End: "last",
  "[": "round-back",
  "]": "round-on",
  p: "mark-back",
  n: "mark-on",
  " ": "auto",
  b: "better",
  l: "line",
  h: "hindsight",
  d: "definitions",
  s: "strict",
  g: "guess",
  v: "open",
  c: "comment",
  m: "bookmark",
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]") || event.target === comment) return;
  // The slider handles the arrow keys itself.
  if (event.target === slider && /^(Arrow|Home|End|Page)/.test(event.key)) return;
  if (event.key === " " && event.target.matches("button, a, summary")) return;
  if (Object.hasOwn(KEYS, event.key)) steps[KEYS[event.key]]();
  else if (/^[0-6]$/.test(event.key) && Number(event.key) <= seats)
    look(event.key === "0" ? "all" : Number(event.key) - 1);
  else if (event.key === "?") $("#help").showModal();
  else if (event.key === "Escape") {
    stop();
    hidePossibilities();
    if (now.line) leaveLine();
    else leaveDefinitions();
  } else return;
  event.preventDefault();
});

window.addEventListener("hashchange", () => {
  stop();
  readRemarks().then(visit);
});

let widthBefore = window.innerWidth;
window.addEventListener("resize", () => {
  if (window.innerWidth === widthBefore) return;
  widthBefore = window.innerWidth;
  window.requestAnimationFrame(() => {
    measure();
    draw();
  });
});

// A notebook gives its frame a port; the page reports its height, now and after each change.
window.addEventListener("message", ({ data, ports: [port] }) => {
  if (data !== "height" || !port) return;
  document.documentElement.classList.add("framed");
  new ResizeObserver(() =>
    port.postMessage(Math.ceil(document.body.getBoundingClientRect().height)),
  ).observe(document.body);
});

drawPlaying();
measure();
await readRemarks();
visit();
// A scroll bar may have appeared.
if (measure()) draw();
$("main").setAttribute("aria-busy", "false");
