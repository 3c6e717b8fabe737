// Draws an answer: bars or dots, lines with bands, small multiples, a heat map, and differences.
"use strict";

const NARROW = 560; // pixels
const FEW_PANELS = 6;
const MOST_BARS = 40; // of a panel
const MOST_LINES = 24; // of a heat map
const LETTER = 6.6;
const MARGIN = 8; // at the left and right of a chart
const AXIS = { fixedrange: true, zeroline: false, showgrid: false, showline: false, ticks: "", tickangle: 0 };
const APART = { ticks: "outside", ticklen: 7, tickcolor: "rgba(0,0,0,0)" };
const HOLLOW = "circle-open";

const isOrdered = (name) => name !== undefined && DATA.dimensions[name].ordered;

// The values of a dimension in the order in which they are drawn.
function orderOf({ by, ...question }, rows, place, sort) {
  const values = new Map();
  for (const row of rows) {
    const sums = values.get(row.values[place]) ?? { value: row.values[place], x: 0, y: 0 };
    sums.x += row.x;
    sums.y += row.y;
    values.set(row.values[place], sums);
  }
  const { minimum } = metricOf(question);
  const rate = ({ x, y }) => (y > 0 && y >= minimum ? x / y : -Infinity);
  const byNumber = (one, other) => other.y - one.y;
  const byRate = (one, other) => (rate(one) === rate(other) ? byNumber(one, other) : rate(other) - rate(one));
  const natural = (one, other) => one.value - other.value;
  return [...values.values()].sort(isOrdered(by[place]) ? natural : sort === "number" ? byNumber : byRate)
    .map(({ value }) => value);
}

// The kind of chart, the dimension of the marks, and that of the panels, if any.
function planOf(question, rows, sort) {
  const { by, versus } = question;
  const orders = by.map((_, place) => orderOf(question, rows, place, sort));
  const panels = by.length < 2 ? undefined : [1, 0].find((place) => orders[place].length <= FEW_PANELS) ?? null;
  const marks = panels === 0 ? 1 : 0;
  const isLine = isOrdered(by[marks]) && orders[marks].length > 2;
  const kind = panels === null ? "heat" : isLine ? "lines" : "bars";
  return { kind, marks, panels, orders, isVersus: versus !== null };
}

// The figure of an answer: its traces and layout, and the number of marks that did not fit.
function figureOf(question, rows, { width, colours, sort }) {
  rows.forEach((row, number) => { row.number = number; });
  const plan = planOf(question, rows, sort);
  const context = { question, metric: metricOf(question), plan, colours, width, extremes: extremesOf(question, rows) };
  const { data, left, layout } = plan.kind === "heat" ? heatMap(context, rows) : panelled(context, rows);
  const { panel, rule, ink1, ink2 } = colours;
  const hoverlabel = { bgcolor: panel, bordercolor: rule, font: { color: ink1 }, align: "left" };
  return { data, left, layout: { paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", showlegend: false,
    dragmode: false, hovermode: "closest", width, margin: { l: MARGIN, r: MARGIN, t: 0, b: 0 },
    font: { size: 12, color: ink2 }, hoverlabel, ...layout } };
}

// The colours of the highest and the lowest row, if these are clearly apart.
function extremesOf(question, rows) {
  const { better } = metricOf(question);
  const known = rows.filter(({ low }) => low !== null).sort((one, other) => other.value - one.value);
  const [first, last] = [known[0], known.at(-1)];
  if (question.versus !== null || known.length < 2 || !isAbove(first, last, known.length)) return new Map();
  const tones = better < 0 ? ["bad", "good"] : better > 0 ? ["good", "bad"] : ["ink1", "ink1"];
  return new Map([[first, tones[0]], [last, tones[1]]]);
}

function tipOf({ question, metric }, row) {
  const lines = (side) => [plain(amountOf(side.value, metric)),
    side.low === null ? "too few for an interval" : `95%: ${intervalOf(side, metric)}`,
    `${count(side.x)} of ${count(side.y)} ${plain(metric.of)}, ${count(side.games)} games`];
  const head = `<b>${plain(labelOf(question, row) || metric.title)}</b>`;
  if (!row.other) return [head, ...lines(row)].join("<br>");
  const [own, others] = sidesInWords(question).map(({ word }) => `<i>${plain(word)}</i>`);
  const gap = row.difference && `<b>difference</b> ${signed(row.difference.value, metric.decimals)}, `
    + intervalOf(row.difference, metric, signed);
  return [head, own, ...lines(row), others, ...lines(row.other), ...(gap ? [gap] : [])].join("<br>");
}

// The common properties of the marks of some rows, drawn on the axes of `spot`.
const marksOf = (context, spot, rows) => ({ type: "scatter", xaxis: spot.x, yaxis: spot.y, cliponaxis: false,
  customdata: rows.map(({ number }) => number), hovertext: rows.map((row) => tipOf(context, row)), hoverinfo: "text" });

const whiskers = (axis, sides, color) => ({ [`error_${axis}`]: { type: "data", symmetric: false, color, thickness: 1.4,
  width: 0, array: sides.map(({ value, high }) => (high === null ? 0 : high - value)),
  arrayminus: sides.map(({ value, low }) => (low === null ? 0 : value - low)) } });

// The common properties of traces that do not react to the pointer.
const silent = ({ x, y }, mode) => (
  { type: "scatter", mode, xaxis: x, yaxis: y, hoverinfo: "skip", cliponaxis: false });

// The colour of a difference: that of the better or the worse side if it is clear.
function toneOf({ metric, colours }, { isClear, value }) {
  if (!isClear) return colours.ink2;
  return metric.better === 0 ? colours.ink1 : value * metric.better > 0 ? colours.good : colours.bad;
}

// Differences as dots, which are open if the difference is not clear.
const gapMarks = (context, sides) => ({ mode: "markers", cliponaxis: true, marker: { size: 10, opacity: 1,
  color: sides.map((one) => (one.isClear ? toneOf(context, one) : context.colours.panel)),
  line: { width: 1.8, color: sides.map((one) => toneOf(context, one)) } } });

// The ends of a value axis: from 0, unless there are several values, all of them far from it.
function rangeOf(rows, room) {
  const known = rows.flatMap((row) => (row.other ? [row, row.other] : [row])).filter(({ value }) => value !== null);
  const certain = known.filter(({ low }) => low !== null);
  const sides = certain.length ? certain : known; // values of very few games may leave the axis
  if (!sides.length) return [0, 1];
  const low = Math.min(...sides.map((side) => side.low ?? side.value));
  const high = Math.max(...sides.map((side) => side.high ?? side.value));
  if (high > low && low > 0.45 * high) return [low - 0.12 * (high - low), high + (high - low) * room];
  return [Math.min(0, low * 1.1), Math.max(high, 1e-9) * (1 + room * 0.8)];
}

// The ends of an axis of differences, with 0 in the middle. It cuts off a few wide intervals, which would flatten all
// others.
function gapRange(rows) {
  const ends = rows.flatMap(({ difference }) => (difference ? [difference.low, difference.high] : [])).map(Math.abs)
    .sort((one, other) => one - other);
  const end = Math.min(ends.at(-1), 2.5 * ends[Math.floor(0.75 * ends.length)]) * 1.08 || 1;
  return [-end, end];
}

// --- panels ------------------------------------------------------------------------------------------------------

const labelIn = ({ question, metric }, place, value) => (
  question.by.length ? valuesOf(question.by[place], metric)[value] : metric.title);

// The values with the most opportunities, in the given order.
function frequent(order, rows, place, most) {
  if (order.length <= most) return order;
  const numbers = new Map(order.map((value) => [value, 0]));
  for (const { values, y } of rows) numbers.set(values[place], numbers.get(values[place]) + y);
  const kept = new Set([...order].sort((one, other) => numbers.get(other) - numbers.get(one)).slice(0, most));
  return order.filter((value) => kept.has(value));
}

// The title of a panel. Of two names, it says which is whose: "Partner Bob".
function titleIn(context, value) {
  const { question: { by }, plan } = context;
  const role = by.every((name) => PEOPLE.includes(name)) ? `${large(titleOf(by[plan.panels]))} ` : "";
  return role + labelIn(context, plan.panels, value);
}

function panelled(context, rows) {
  const { question, metric, plan, width, colours } = context;
  const [isBars, isNarrow, isMultiple] = [plan.kind === "bars", width < NARROW, plan.panels !== undefined];
  const draw = isBars ? drawBars : drawLines;
  const panels = !isMultiple ? [{ title: "", rows }] : plan.orders[plan.panels].map((value) => (
    { title: titleIn(context, value), rows: rows.filter(({ values }) => values[plan.panels] === value) }));
  const hasGap = !isMultiple && rows.some(({ difference }) => difference);
  if (hasGap) panels.push({ title: "Difference", rows, isGap: true });
  const order = question.by.length ? plan.orders[plan.marks] : [0];
  const values = isBars ? frequent(order, rows, plan.marks, MOST_BARS) : order;
  const fitting = isNarrow ? 1 : Math.max(1, Math.floor(width / 280));
  const across = hasGap ? (isBars && !isNarrow ? 2 : 1) : Math.min(panels.length, fitting, 3);
  const weights = hasGap && across === 2 ? [0.62, 0.38] : Array(across).fill(1 / across);
  const line = isBars && isNarrow ? 50 : plan.isVersus ? 38 : 31;
  const body = isBars ? Math.max(line * values.length, 40) : panels.length > 2 ? 190 : 300;
  const [head, foot] = [8 + 22 * (Number(isMultiple) + Number(plan.isVersus)), isBars ? 46 : 70];
  const sizes = Array.from({ length: Math.ceil(panels.length / across) },
    (_, row) => head + foot + (hasGap && !isBars && row ? 170 : body));
  const height = sizes.reduce((sum, size) => sum + size, 0);
  const title = { text: plain(axisOf(metric)), xref: "paper", yref: "paper", x: 0.5, y: 0, yanchor: "bottom",
    showarrow: false, font: { size: 12, color: colours.ink3 } };
  const figure = { data: [], left: order.length - values.length, layout: { height, annotations: [title], shapes: [] } };
  // Room for the numbers beside bars.
  const room = isMultiple ? Math.min(1.2, 170 / Math.max(width / across - 130, 60)) : 0.24;
  const range = rangeOf(rows, isBars ? room : 0.1);
  panels.forEach((panel, number) => {
    const [row, column, tail] = [Math.floor(number / across), number % across, number ? String(number + 1) : ""];
    const above = sizes.slice(0, row).reduce((sum, size) => sum + size, 0);
    const start = weights.slice(0, column).reduce((sum, weight) => sum + weight, 0);
    const xdomain = [start + (column ? 0.03 : 0), start + weights[column] - (column < across - 1 ? 0.03 : 0)];
    const ydomain = [1 - (above + sizes[row] - foot) / height, 1 - (above + head) / height];
    const spot = { tail, x: `x${tail}`, y: `y${tail}`, column, isNarrow, values, xdomain, ydomain,
      range: panel.isGap ? gapRange(rows) : range, width: (xdomain[1] - xdomain[0]) * width };
    draw(context, panel, spot, figure);
    figure.layout.annotations.push(...headOf(context, panel, spot));
  });
  return figure;
}

// The title of a panel, its number of opportunities, and the names of the sides of a comparison.
function headOf({ question, metric, plan, colours }, { title, rows, isGap }, spot) {
  const small = (text) => `  <span style='font-size:12px;color:${colours.ink3}'>${text}</span>`;
  const lines = title && !isGap ? [`<b>${plain(cut(title, 34))}</b>`] : [];
  // Parts of a metric share their opportunities.
  if (lines.length && !isLabel(question.by[plan.marks], metric)) {
    lines[0] += small(`${count(rows.reduce((sum, { y }) => sum + y, 0))} ${plain(metric.of)}`);
  }
  if (isGap) lines.push(`<b>Difference</b>${small("○ not clear")}`);
  else if (plan.isVersus) {
    const [own, others] = sidesInWords(question).map(({ word }) => plain(cut(word, 24)));
    lines.push(`<span style='color:${colours.good}'>● <b>${own}</b></span>`
      + `   <span style='color:${colours.ink3}'>○ ${others}</span>`);
  }
  const head = { text: lines.join("<br>"), xref: `${spot.x} domain`, yref: `${spot.y} domain`, x: 0, y: 1, yshift: 6,
    xanchor: "left", yanchor: "bottom", align: "left", showarrow: false, font: { size: 13, color: colours.ink1 } };
  return lines.length ? [head] : [];
}

// Marks of one panel by line. A narrow panel has the names above its marks.
function drawBars(context, { rows, isGap }, spot, { data, layout }) {
  const { question, metric, plan, colours, extremes } = context;
  const rowOf = new Map(rows.map((row) => [question.by.length ? row.values[plan.marks] : 0, row]));
  const lines = spot.values.map((value, line) => ({ value, line, row: rowOf.get(value) })).filter(({ row }) => row);
  const [low, high] = spot.range;
  const lower = spot.isNarrow ? 0.2 : 0;
  const isMultiple = plan.panels !== undefined;
  const small = (text) => `<span style='font-size:11px;color:${colours.ink3}'>${text}</span>`;
  const number = ({ y, other }) => small(count(y) + (other ? ` / ${count(other.y)}` : ""));
  // The left-to-right mark keeps the number at the right of a name that is written from right to left.
  const named = (value) => plain(cut(labelIn(context, plan.marks, value), 30))
    + (isMultiple && !spot.isNarrow ? "" : `\u200E  ${rowOf.has(value) ? number(rowOf.get(value)) : ""}`);
  layout[`yaxis${spot.tail}`] = { ...AXIS, ...APART, domain: spot.ydomain, anchor: spot.x, automargin: true,
    range: [spot.values.length - 0.5, -0.5], tickvals: [...spot.values.keys()], ticktext: spot.values.map(named),
    tickfont: { size: 13, color: colours.ink1 }, showticklabels: !isGap && !spot.isNarrow && spot.column === 0 };
  layout[`xaxis${spot.tail}`] = { ...AXIS, domain: spot.xdomain, anchor: spot.y, range: spot.range, showgrid: true,
    nticks: spot.width < 300 ? 4 : 6, gridcolor: colours.faint, tickfont: { color: colours.ink3 } };
  if (low <= 0) {
    layout.shapes.push({ type: "line", x0: 0, x1: 0, y0: 0, y1: 1, xref: spot.x, yref: `${spot.y} domain`,
      layer: "below", line: { color: isGap ? colours.ink3 : colours.rule, width: 1 } });
  }
  const add = (sideOf, shift, color, more) => {
    const known = lines.filter(({ row }) => sideOf(row) && sideOf(row).value !== null);
    const sides = known.map(({ row }) => sideOf(row));
    if (known.length) {
      data.push({ ...marksOf(context, spot, known.map(({ row }) => row)), mode: "markers",
        x: sides.map(({ value }) => value), y: known.map(({ line }) => line + lower + shift),
        ...whiskers("x", sides, color), ...more(sides) });
    }
  };
  // Text beside points; an invisible mark keeps it apart from them.
  const write = (x, y, texts, color, apart = 10) => data.push({ ...silent(spot, "markers+text"), x, y, text: texts,
    marker: { size: apart, opacity: 0 }, textposition: "middle right", textfont: { size: 12.5, color } });
  const heights = (some) => some.map(({ line }) => line + lower);
  if (isGap) {
    add(({ difference }) => difference, 0, colours.ink3, (sides) => gapMarks(context, sides));
  } else if (plan.isVersus) {
    const dots = (color, symbol) => () => ({ marker: { size: 10, opacity: 1, color, symbol, line: { color } } });
    add(({ other }) => other, 0.14, colours.ink3, dots(colours.ink3, HOLLOW));
    add((row) => row, -0.14, colours.good, dots(colours.good, "circle"));
  } else {
    const ink = (row) => colours[extremes.get(row) ?? "ink2"];
    const tone = (row) => (extremes.has(row) ? ink(row) : colours.ink3 + (row.low === null ? "40" : "8C"));
    add((row) => row, 0, low <= 0 ? colours.ink1 : colours.ink3, (sides) => (low <= 0
      ? { type: "bar", orientation: "h", width: spot.isNarrow ? 0.36 : 0.56,
        marker: { color: sides.map(tone), cornerradius: 2 } }
      : { marker: { size: 10, opacity: 1, color: sides.map(ink) } }));
    const known = lines.filter(({ row }) => row.value !== null);
    write(known.map(({ row }) => Math.min(row.high ?? row.value, high)), heights(known), known.map(({ row }) => (
      `<b>${shown(row.value, metric.decimals)}</b>${isMultiple && !spot.isNarrow ? ` ${number(row)}` : ""}`)),
    known.map(({ row }) => ink(row)));
  }
  const isUnknown = ({ row }) => !isGap && row.value === null && (!row.other || row.other.value === null);
  const unknown = lines.filter(isUnknown);
  write(unknown.map(() => low), heights(unknown), unknown.map(({ row }) => (
    isMultiple && !spot.isNarrow ? `too few: ${count(row.y)}` : "too few")), colours.ink3);
  if (!spot.isNarrow) return;
  const above = lines.map(({ line }) => line - 0.24);
  write(lines.map(() => low), above, lines.map(({ value }) => named(value)), colours.ink1, 0);
}

// A line with its band in one panel, a second line for the others, or differences.
function drawLines(context, { rows, isGap }, spot, { data, layout }) {
  const { metric, plan, colours } = context;
  const rowOf = new Map(rows.map((row) => [row.values[plan.marks], row]));
  const names = spot.values.map((value) => cut(labelIn(context, plan.marks, value), 14));
  const counts = spot.values.map((value) => count(rowOf.get(value)?.y ?? 0));
  const longest = Math.max(...[...names, ...counts].map(({ length }) => length));
  const unit = (spot.width - 50) / spot.values.length;
  const step = Math.ceil(((longest + 1.5) * LETTER) / unit);
  // A label is centred on its tick; near the right edge a long one would be cut off.
  const fits = (place) => (names[place].length / 2) * LETTER <= (spot.values.length - 0.4 - place) * unit + MARGIN;
  const ticks = [...spot.values.keys()].filter((place) => place % step === 0 && fits(place));
  const base = isGap ? 0 : spot.range[0];
  layout[`xaxis${spot.tail}`] = { ...AXIS, ...APART, domain: spot.xdomain, anchor: spot.y, tickvals: ticks,
    range: [-0.6, spot.values.length - 0.4], ticklabeloverflow: "allow", ticktext: ticks.map((place) => (
      `${plain(names[place])}<br><span style='font-size:11px;color:${colours.ink3}'>${counts[place]}</span>`)) };
  layout[`yaxis${spot.tail}`] = { ...AXIS, domain: spot.ydomain, anchor: spot.x, range: spot.range, nticks: 5,
    showgrid: true, gridcolor: colours.faint, automargin: true, showticklabels: spot.column === 0,
    tickfont: { color: colours.ink3 } };
  layout.shapes.push({ type: "line", x0: 0, x1: 1, y0: base, y1: base, xref: `${spot.x} domain`, yref: spot.y,
    layer: "below", line: { color: isGap ? colours.ink3 : colours.rule, width: 1 } });
  const marksAt = (sideOf, isDrawn) => spot.values.flatMap((value, x) => {
    const row = rowOf.get(value);
    const side = row && sideOf(row);
    return side && side.value !== null && isDrawn(side) ? [{ row, side, x }] : [];
  });
  const dots = (marks) => ({ ...marksOf(context, spot, marks.map(({ row }) => row)), mode: "markers",
    x: marks.map(({ x }) => x), y: marks.map(({ side }) => side.value) });
  if (isGap) {
    const marks = marksAt(({ difference }) => difference, () => true);
    const sides = marks.map(({ side }) => side);
    data.push({ ...dots(marks), ...gapMarks(context, sides), ...whiskers("y", sides, colours.ink3) });
    return;
  }
  const series = (sideOf, color, dash, symbol) => {
    // Values that follow each other, with intervals, are connected; others stand alone.
    const runs = [];
    for (const mark of marksAt(sideOf, ({ low }) => low !== null)) {
      if (runs.at(-1)?.at(-1).x === mark.x - 1) runs.at(-1).push(mark);
      else runs.push([mark]);
    }
    for (const run of runs) {
      const sides = run.map(({ side }) => side);
      if (run.length > 1) {
        const back = [...run].reverse();
        data.push({ ...silent(spot, "lines"), fill: "toself", line: { width: 0 },
          x: [...run, ...back].map(({ x }) => x),
          y: [...sides.map(({ high }) => high), ...back.map(({ side }) => side.low)], fillcolor: `${color}2E` });
      }
      data.push({ ...dots(run), mode: "lines+markers", line: { color, width: 2.2, dash },
        marker: { size: 7, opacity: 1, symbol, color }, ...(run.length > 1 ? {} : whiskers("y", sides, color)) });
    }
    const uncertain = marksAt(sideOf, ({ low }) => low === null);
    const marker = { size: 6, opacity: 1, symbol: HOLLOW, color: colours.ink3 };
    data.push({ ...dots(uncertain), cliponaxis: true, marker });
  };
  if (plan.isVersus) series(({ other }) => other, colours.ink3, "4px,3px", HOLLOW);
  series((row) => row, colours.good, "solid", "circle");
  if (plan.isVersus || spot.values.length * 34 > spot.width) return;
  const known = marksAt((row) => row, ({ low }) => low !== null);
  data.push({ ...silent(spot, "markers+text"), x: known.map(({ x }) => x), y: known.map(({ row }) => row.high),
    text: known.map(({ row }) => shown(row.value, metric.decimals)), textposition: "top center",
    marker: { size: 4, opacity: 0 }, textfont: { size: 12, color: colours.ink2 } });
}

// --- heat map ------------------------------------------------------------------------------------------------------

// Values, or differences, of two dimensions with many values each; only those with an interval are coloured.
function heatMap(context, rows) {
  const { metric, plan, colours, width } = context;
  const most = [Math.min(MOST_LINES, Math.floor((width - 130) / 22)), MOST_LINES];
  const orders = plan.orders.map((order, place) => frequent(order, rows, place, most[place]));
  const [across, down] = orders;
  const places = orders.map((order) => new Map(order.map((value, place) => [value, place])));
  const drawn = rows.filter(({ values }) => places.every((place, i) => place.has(values[i])));
  const side = (row) => (plan.isVersus ? row.difference : row.low === null ? null : row);
  const grid = () => down.map(() => across.map(() => null));
  const [z, hovertext, customdata] = [grid(), grid(), grid()];
  const spots = drawn.map((row) => row.values.map((value, i) => places[i].get(value)));
  drawn.forEach((row, i) => {
    const [x, y] = spots[i];
    z[y][x] = side(row)?.value ?? null;
    hovertext[y][x] = tipOf(context, row);
    customdata[y][x] = row.number;
  });
  const cell = (width - 130) / across.length;
  const [lowTone, highTone] = metric.better < 0 ? [colours.good, colours.bad] : [colours.bad, colours.good];
  const colorscale = plan.isVersus ? [[0, `${lowTone}B0`], [0.5, colours.faint], [1, `${highTone}B0`]]
    : [[0, `${colours.good}10`], [1, `${colours.good}B8`]];
  const data = [{ type: "heatmap", z, customdata, hovertext, hoverinfo: "text", hoverongaps: false, xgap: 2, ygap: 2,
    showscale: false, colorscale, ...(plan.isVersus ? { zmid: 0 } : {}) }];
  const isWritten = cell >= 38;
  if (isWritten) {
    const said = (row) => {
      const number = side(row) === null ? "·" : (plan.isVersus ? signed : shown)(side(row).value, metric.decimals);
      const strong = row.difference?.isClear ? `<b>${number}</b>` : number;
      return `${strong}<br><span style='font-size:10px;color:${colours.ink2}'>${count(row.y)}</span>`;
    };
    data.push({ ...silent({ x: "x", y: "y" }, "text"), x: spots.map(([x]) => x), y: spots.map(([, y]) => y),
      text: drawn.map(said), textfont: { size: 12, color: colours.ink1 } });
  }
  const axis = (place) => ({ ...AXIS, automargin: true, tickvals: [...orders[place].keys()],
    ticktext: orders[place].map((value) => plain(cut(labelIn(context, place, value), 18))) });
  return { data, left: Math.max(...orders.map((order, place) => plan.orders[place].length - order.length)),
    layout: { height: down.length * (isWritten ? 36 : 24) + 100, margin: { l: 8, r: 8, t: 0, b: 8 },
      xaxis: { ...axis(0), tickangle: cell < 70 ? -45 : 0, range: [-0.5, across.length - 0.5] },
      yaxis: { ...axis(1), range: [down.length - 0.5, -0.5] }, annotations: [], shapes: [] } };
}
