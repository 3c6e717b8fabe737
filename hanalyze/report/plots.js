// Figures of the dashboard and the explorer: drawing, keys, saving; and the dialog that lists the games behind a mark.
"use strict";

const PAD = 48; // pixels above a saved picture, for its title

function coloursOf(names) {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

// Draws a figure with its label for screen readers; `open`, if given, gets the point of a click.
function drawPlot(box, { data, layout }, label, open) {
  const isNew = !box.data;
  const font = { ...layout.font, family: getComputedStyle(box).fontFamily };
  Plotly.react(box, data, { ...layout, font }, { displayModeBar: false, doubleClick: false, showTips: false });
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", label);
  if (!open) return;
  box.tabIndex = 0;
  if (isNew) box.on("plotly_click", ({ points: [point] }) => open(point));
}

function clearPlot(box) {
  if (box.data) Plotly.purge(box);
  box.replaceChildren();
  for (const name of ["role", "aria-label", "tabindex"]) box.removeAttribute(name);
}

// Arrow keys go from mark to mark and announce the row of the mark; Enter opens it. `customdata` are numbers of rows.
function stepThrough(event, say, open) {
  const box = event.currentTarget;
  const marks = new Map(); // by row, which may have several marks
  (box.data ?? []).forEach(({ customdata }, curveNumber) => (customdata ?? []).flat().forEach((row, pointNumber) => {
    if (row !== null && !marks.has(row)) marks.set(row, { curveNumber, pointNumber });
  }));
  const rows = [...marks.keys()];
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  const at = rows.indexOf(Number(box.dataset.mark ?? -1));
  if (event.key in steps && rows.length) {
    const next = at < 0 && steps[event.key] < 0 ? -1 : at + steps[event.key];
    const row = rows.at(next % rows.length);
    box.dataset.mark = row;
    const mark = marks.get(row);
    const { xaxis, yaxis, type } = box.data[mark.curveNumber];
    if (type !== "heatmap") Plotly.Fx.hover(box, [mark], [xaxis + yaxis]);
    say(row);
  } else if (event.key === "Enter" && at >= 0) open(rows[at]);
  else return;
  event.preventDefault();
}

async function savePlot(box, name, text) {
  if (!box.data) return;
  const { panel, ink1 } = palette();
  const title = { text: `<b>${plain(text)}</b>`, x: 0.02, y: 1, yanchor: "top", pad: { t: 17 },
    font: { size: 17, color: ink1 } };
  const layout = { ...box.layout, title, paper_bgcolor: panel, height: box.layout.height + PAD,
    margin: { ...box.layout.margin, t: PAD } };
  download(`${name}.png`, await Plotly.toImage({ data: box.data, layout }, { format: "png", scale: 2 }));
}

function saveLines(name, lines) {
  const text = lines.map((line) => `${line.map(csvCell).join(",")}\r\n`).join("");
  download(`${name}.csv`, `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`);
}

function showBehind(title, about, entries) {
  $("behind-title").textContent = title;
  $("behind-about").replaceChildren(...about);
  $("behind-list").replaceChildren(...entries);
  $("behind").showModal();
  $("behind-list").scrollTop = 0;
}

// Closes the dialog by its button or a click beside it, and draws again when colours or width change.
function listen(draw) {
  $("behind-close").onclick = () => $("behind").close();
  $("behind").onclick = (event) => { if (event.target === $("behind")) $("behind").close(); };
  document.addEventListener("theme", draw);
  let width = window.innerWidth, timer = 0;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    clearTimeout(timer);
    timer = setTimeout(draw, 80);
  });
}
