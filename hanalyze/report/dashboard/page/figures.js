// Draws the figures, writes their numbers as tables, opens lists from both, and saves them.
"use strict";

const PAD = 44; // pixels above a saved picture, for its title
const shownRows = new Map(); // the rows of each figure, by its name

// Writes the sentence of a figure and reserves its height; returns a function that draws it, if there is something.
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
    if (!drawn) {
      Plotly.purge(box);
      box.replaceChildren();
      for (const name of ["role", "aria-label", "tabindex"]) box.removeAttribute(name);
      return;
    }
    const font = { ...drawn.layout.font, family: getComputedStyle(box).fontFamily };
    const isNew = !box.data;
    Plotly.react(box, drawn.data, { ...drawn.layout, width, font },
      { displayModeBar: false, doubleClick: false, showTips: false });
    const title = question.title + (/[.?!]$/.test(question.title) ? " " : ". ");
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", title + lead.textContent);
    if (!hasBehind(question)) return;
    box.tabIndex = 0;
    if (isNew) box.on("plotly_click", ({ points: [point] }) => openBehind(question, rowAt(question, point)));
  };
}

function rowAt({ name }, { customdata, x, y }) {
  const rows = shownRows.get(name);
  return rows[customdata] ?? rows.find((row) => plain(row.label) === x && plain(row.other) === y);
}

// Arrow keys go from mark to mark of a figure, and Enter opens the list of the mark.
function stepThrough(event, question) {
  const box = event.currentTarget;
  const marks = (box.data ?? []).flatMap(({ customdata }, curveNumber) => (
    (customdata ?? []).map((row, pointNumber) => ({ curveNumber, pointNumber, row }))));
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  const at = marks.findIndex(({ row }) => row === Number(box.dataset.mark ?? -1));
  if (event.key in steps && marks.length) {
    const step = at < 0 ? (steps[event.key] > 0 ? 0 : marks.length - 1) : at + steps[event.key];
    const mark = marks[(step + marks.length) % marks.length];
    box.dataset.mark = mark.row;
    const { xaxis, yaxis, type } = box.data[mark.curveNumber];
    if (type !== "heatmap") Plotly.Fx.hover(box, [mark], [xaxis + yaxis]);
    const row = shownRows.get(question.name)[mark.row];
    const { value, interval } = slotsOf(question, row);
    $("chosen").textContent = `${[row.panel, row.label, row.other].filter(Boolean).join(", ")}: ${value}`
      + ` ${question.unit}, ${interval}`;
  } else if (event.key === "Enter" && at >= 0) {
    openBehind(question, shownRows.get(question.name)[marks[at].row]);
  } else return;
  event.preventDefault();
}

// The columns of a table of rows: name, heading.
function headsOf(question, rows) {
  const isTold = (name) => rows.some((row) => row[name] !== "" && row[name] !== null);
  return [["panel", "Of"], ["label", "What"], ["other", "With"], ["value", question.unit], ["interval", "95%"],
    ["x", "Found"], ["y", "Of"], ["n", "Games"]].filter(([name]) => name === "interval" || isTold(name));
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
  const text = lines.map((line) => `${line.map(csvCell).join(",")}\r\n`).join("");
  download(`${question.name}.csv`, `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`);
}

async function savePng(question) {
  const box = $(`figure-${question.name}`);
  if (!box.data) return;
  const { panel, ink1 } = palette();
  const title = { text: `<b>${plain(question.title)}</b>`, x: 0.02, y: 1, yanchor: "top", pad: { t: 16 },
    font: { size: 17, color: ink1 } };
  const layout = { ...box.layout, title, paper_bgcolor: panel, height: box.layout.height + PAD,
    margin: { ...box.layout.margin, t: PAD } };
  const picture = await Plotly.toImage({ data: box.data, layout }, { format: "png", scale: 2 });
  download(`${question.name}.png`, picture);
}

// What a figure does once, whatever is chosen.
function buildFigure(question) {
  $(`figure-${question.name}`).onkeydown = (event) => stepThrough(event, question);
  for (const [kind, save] of [["csv", saveCsv], ["png", savePng]]) {
    const button = $(`${kind}-${question.name}`);
    if (button) button.onclick = () => save(question);
  }
}
