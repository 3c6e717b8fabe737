// Draws the figures, writes their numbers as tables, opens lists from both, and saves them.
"use strict";

const shownRows = new Map(); // the rows of each figure, by its name

// Writes the sentence of a figure and reserves its height; returns a function that draws it, null for a list.
function writeFigure(question, games, rows, level, width, colours) {
  const box = $(`figure-${question.name}`);
  const lead = $(`lead-${question.name}`);
  if (question.rows === "list") return writeList(question, lead, box);
  const few = `Only ${count(games)} games: too few for a figure.`;
  lead.replaceChildren(...emphasised(games < FEW ? [few] : sentenceOf(question, rows, level)));
  shownRows.set(question.name, rows);
  writeNumbers(question, rows);
  const drawn = filled(DATA.charts[question.chart], question, rows, colours, width, level);
  box.style.height = `${drawn ? drawn.layout.height : 0}px`;
  return () => {
    if (!drawn) return clearPlot(box);
    const title = question.title + (/[.?!]$/.test(question.title) ? " " : ". ");
    const open = hasBehind(question) ? (point) => openBehind(question, rowAt(question, point)) : null;
    return drawPlot(box, { ...drawn, layout: { ...drawn.layout, width } }, title + lead.textContent, open);
  };
}

function rowAt({ name }, { customdata, x, y }) {
  const rows = shownRows.get(name);
  return rows[customdata] ?? rows.find((row) => plain(row.label) === x && plain(row.other) === y);
}

function say(question, row) {
  const { value, interval } = slotsOf(question, row);
  $("chosen").textContent = `${[row.panel, row.label, row.other].filter(Boolean).join(", ")}: ${value}`
    + ` ${question.unit}, ${interval}`;
}

// The columns of a table of rows: name, heading.
function headsOf(question, rows) {
  const hasValues = (name) => rows.some((row) => row[name] !== "" && row[name] !== null);
  return [["panel", "Of"], ["label", "What"], ["other", "With"], ["value", question.unit], ["interval", "95%"],
    ["x", "Found"], ["y", "Of"], ["n", "Games"]].filter(([name]) => name === "interval" || hasValues(name));
}

// The rows of a figure as a table, on demand.
function writeNumbers(question, rows) {
  const box = $(`numbers-${question.name}`);
  const heads = headsOf(question, rows);
  const bodyRow = (row) => {
    const slots = { ...slotsOf(question, row), panel: row.panel };
    if (row.value === null) slots.value = "–";
    const hasList = hasBehind(question) && row.panel !== TREND;
    const cell = ([name, head]) => element("td", { "data-head": head }, name === "value" && hasList
      ? element("button", { type: "button", className: "open", onclick: () => openBehind(question, row) }, slots.value)
      : element("bdi", {}, slots[name]));
    return element("tr", {}, ...heads.map(cell));
  };
  const build = () => box.replaceChildren(...(rows.length ? [element("table", {},
    element("caption", { className: "unseen" }, question.title),
    element("thead", {}, element("tr", {}, ...heads.map(([, text]) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...rows.map(bodyRow)))] : ["Nothing to show."]));
  box.parentNode.ontoggle = () => { if (box.parentNode.open) build(); };
  if (box.parentNode.open) build();
}

function saveCsv(question) {
  const names = ["panel", "label", "other", "value", "low", "high", "x", "y", "n"];
  const lines = question.rows === "list"
    ? [DATA.heads[question.chart], ...listRows(question).map((row) => row.cells)]
    : [names, ...shownRows.get(question.name).map((row) => names.map((name) => row[name]))];
  saveLines(question.name, lines);
}

const savePng = (question) => savePlot($(`figure-${question.name}`), question.name, question.title);

// Connects the keys and buttons of a figure.
function buildFigure(question) {
  const rowOf = (row) => shownRows.get(question.name)[row];
  $(`figure-${question.name}`).onkeydown = (event) => stepThrough(event, (row) => say(question, rowOf(row)),
    (row) => openBehind(question, rowOf(row)));
  for (const [kind, save] of [["csv", saveCsv], ["png", savePng]]) {
    const button = $(`${kind}-${question.name}`);
    if (button) button.onclick = () => save(question);
  }
}
