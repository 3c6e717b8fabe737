// Fills the slots of a chart with the rows of a figure. In a chart, `@x` is a column of a panel's rows, `$x` is a
// value of the panel, and `~x` is a colour; a suffix such as `/8C` sets its opacity.
"use strict";

const NARROW = 560;
const LETTER = 6.4;

// The rows to draw by panel, in order.
function grouped(chart, question, all) {
  let rows = all.filter((row) => row.x || !question.drop.some((label) => label === "*" || label === row.label));
  if (question.panels.length) rows = rows.filter((row) => question.panels.includes(row.panel));
  if (chart.lines === "names") rows = rows.filter((row) => row.x < chart.most);
  if (chart.lines === "panels") return new Map(rows.length ? [["", rows]] : []);
  const panels = question.panels.length ? question.panels : [...new Set(rows.map((row) => row.panel))];
  const groups = panels.map((panel) => [panel, rows.filter((row) => row.panel === panel)]);
  if (question.sort === "value") groups.forEach(([, some]) => some.sort(byValue));
  return new Map(groups.filter(([, some]) => some.length));
}

// The labels of the lines, by panel.
function linesOf(chart, question, groups) {
  const rows = [...groups.values()].flat();
  if (chart.lines === "own") return new Map([...groups].map(([panel, some]) => [panel, some.map((row) => row.label)]));
  if (chart.lines === "panels") return new Map([["", [...new Set(rows.map((row) => row.panel))]]]);
  let labels = [...new Set(rows.map((row) => row.label))];
  if (question.sort === "rate") {
    const sum = (label, name) => total(rows.filter((row) => row.label === label).map((row) => row[name]));
    const rates = new Map(labels.map((label) => [label, sum(label, "x") / sum(label, "y")]));
    labels = labels.filter((label) => rates.get(label) > 0);
    labels.sort((one, other) => rates.get(other) - rates.get(one));
  }
  if (chart.lines === "names") labels = [...new Set(rows.flatMap((row) => [row.label, row.other]))].sort(compared);
  return new Map([...groups.keys()].map((panel) => [panel, labels]));
}

const lineOf = (chart, row) => (chart.lines === "panels" ? row.panel : row.label);

function toneOf(question, row, rows, level, firstOfAll) {
  if (question.chart === "field") {
    return !row.clear ? "ink2" : row.value * betterIn(question, row.panel) > 0 ? "good" : question.low_tone;
  }
  const { tones } = question;
  if (row === firstOfAll && row.x && "" in tones) return tones[""];
  const first = highestOf(rows);
  if (row === first && row.x && "clear" in tones && highestIn(question).includes(row.panel)) {
    const others = rows.filter((one) => one !== first);
    return others.length && isFirst(first, others, level) ? tones.clear : "plain";
  }
  return tones[row.label] ?? "plain";
}

function columnsOf(chart, question, rows, lines, top, palette, level, width, places, first) {
  const isField = question.chart === "field";
  const texts = brokenNames(lines, width);
  const broken = new Map(lines.map((line, i) => [line, texts[i]]));
  return rows.filter((row) => chart.lines === "free" || lines.includes(lineOf(chart, row))).map((row) => {
    const value = row.value ?? 0;
    const tone = toneOf(question, row, rows, level, first);
    const slots = slotsOf(question, row);
    for (const name of Object.keys(slots)) if (name !== "drawn") slots[name] = plain(slots[name]);
    Object.assign(slots, { unit: plain(question.unit), place: row.panel ? plain(`${row.panel}, `) : "" });
    const line = Math.max(0, lines.indexOf(lineOf(chart, row)));
    const role = row.dim ? "dim" : tone;
    const ink = palette[role === "plain" ? "ink2" : role];
    // The label gives the end of an interval that the axis cuts off.
    const isCut = !isField && row.high !== null && row.high > top;
    const end = Math.min(row.high ?? value, top);
    const isCramped = isCut || (1 - end / top) * width < LETTER * (slots.value.length + 2);
    const cut = isCut ? `, up to ${shown(row.high, row.high < 10 ? question.decimals : 0)}` : "";
    return { ...row, row: places.get(row), line, above: line - 0.22, below: line + 0.16, zero: 0,
      expected: question.chart === "odds" ? Math.min(100, parseInt(row.label, 10) + 5) : null,
      up: row.high === null ? 0 : row.high - value, down: row.low === null ? 0 : value - row.low,
      end, name: plain(row.label), broken: broken.get(lineOf(chart, row)) ?? "", second: plain(row.other),
      said: words(row.value === null ? chart.said_none : chart.said, slots) + cut, tip: words(chart.tip, slots),
      beside: isCramped ? "top left" : "middle right",
      whole: shown(value, 0), colour: palette[role], ink, fill: isField && !row.clear ? palette.panel : ink,
      symbol: isField && tone === question.low_tone ? "diamond" : "circle" };
  });
}

// The ends of the value axis; if any row has a value, the high ends of the intervals of rows with value 0 are ignored.
function endsOf(question, rows, room) {
  const isField = question.chart === "field";
  const found = rows.filter((row) => row.x || isField);
  const highs = (found.length ? found : rows).map((row) => row.high ?? row.value ?? 0);
  let high = Math.max(0, ...highs, ...rows.map((row) => row.value ?? 0));
  let low = Math.min(0, ...rows.map((row) => row.low ?? row.value ?? 0));
  if (isField) [high, low] = [Math.max(high, -0.6 * low, 1e-9), Math.min(low, -0.6 * high, -1e-9)];
  return [low * (1 + room), Math.max(high, 1e-9) * (1 + room)];
}

// Fills the slots in a part of a chart; slots in inserted values are not filled.
function fill(node, rows, values, palette) {
  if (Array.isArray(node)) return node.map((one) => fill(one, rows, values, palette));
  if (node !== null && typeof node === "object") {
    return Object.fromEntries(Object.entries(node).map(([key, one]) => [key, fill(one, rows, values, palette)]));
  }
  if (typeof node !== "string" || node.length < 2) return node;
  const name = node.slice(1);
  if (node[0] === "~") {
    const [role, alpha = ""] = name.split("/");
    return palette[role] + alpha;
  }
  if (node[0] === "$") return values[name];
  return node[0] === "@" ? rows.map((row) => row[name]) : node;
}

// The height of a figure and the positions of its panels, at most `across` in a row.
function spotsOf(chart, lines, width) {
  const panels = [...lines.keys()];
  const across = Math.min(panels.length, chart.across);
  const grid = [];
  for (let i = 0; i < panels.length; i += across) grid.push(panels.slice(i, i + across));
  const head = panels.some((panel) => panel) ? chart.head : chart.bare;
  const most = grid.map((line) => Math.max(...line.map((panel) => lines.get(panel).length)));
  const sizes = most.map((length) => head + chart.foot + Math.max(chart.least, chart.line * length));
  const height = total(sizes);
  const spots = new Map();
  let above = 0;
  grid.forEach((line, row) => {
    const weights = line.map((panel) => (chart.weighted ? lines.get(panel).length + 1.5 : 1));
    // Gaps are only between panels, so that panels with the same scale have the same width.
    const scale = (1 - chart.gap * (line.length - 1)) / total(weights);
    const bottom = 1 - (above + sizes[row] - chart.foot) / height;
    const top = 1 - (above + head) / height;
    line.forEach((panel, place) => {
      const left = total(weights.slice(0, place)) * scale + chart.gap * place;
      const right = Math.min(left + weights[place] * scale, 1);
      const tail = spots.size ? String(spots.size + 1) : "";
      spots.set(panel, { tail, place, left, right, bottom, top, width: (right - left) * width, most: most[row] });
    });
    above += sizes[row];
  });
  return [height, spots];
}

function valuesOf(chart, question, panel, spot, rows, names, [low, high], palette) {
  const { tail } = spot;
  const largest = rows.reduce((one, row) => (row.y > one.y || (row.y === one.y && row.n > one.n) ? row : one));
  const isGood = betterIn(question, panel) > 0;
  const longest = longestOf(brokenNames(names, spot.width));
  const values = { x: `x${tail}`, y: `y${tail}`, across: `x${tail} domain`, upward: `y${tail} domain`,
    xdomain: [spot.left, spot.right], ydomain: [spot.bottom, spot.top],
    first: spot.place === 0, low, high, last: names.length - 0.4, lines: [spot.most - 0.5, -0.5],
    ticks: names.map((_, line) => line), fitting: Math.max(1, Math.floor(spot.width / (LETTER * (longest + 1)))),
    names: names.map(plain), stepped: stepped(names),
    head: panel ? `<b>${plain(panel)}</b>${words(chart.headline, slotsOf(question, largest))}` : "",
    left: `← ${question.sides[isGood ? 0 : 1]}`, right: `${question.sides[isGood ? 1 : 0]} →`,
    left_colour: palette[isGood ? question.low_tone : "good"],
    right_colour: palette[isGood ? "good" : question.low_tone] };
  if (question.beside) {
    const counts = new Map(rows.map((row) => [lineOf(chart, row), count(row[question.beside])]));
    const small = (name) => `  <span style='font-size:11px'>${counts.get(name) ?? ""}</span>`;
    values.names = names.map((name) => plain(name) + small(name));
  }
  for (const line of new Set(rows.filter((row) => row.dim).map((row) => names.indexOf(lineOf(chart, row))))) {
    values.names[line] = `<span style='color:${palette.ink3}'>${values.names[line]}</span>`;
  }
  return values;
}

// Plotly values of a chart for a width in pixels; null if there is nothing to draw.
function filled(base, question, all, palette, width, level) {
  const chart = width < NARROW ? { ...base, ...base.narrow } : base;
  const places = new Map(all.map((row, place) => [row, place]));
  const first = leaderOf(question, all, level);
  const groups = grouped(chart, question, all);
  const lines = linesOf(chart, question, groups);
  if (![...lines.values()].some((some) => some.length)) return null;
  const [height, spots] = spotsOf(chart, lines, width);
  const everything = [...groups.values()].flat();
  const data = [];
  const layout = fill(chart.layout, [], { axis: plain(question.axis) }, palette);
  Object.assign(layout, { height, annotations: layout.annotations ?? [], shapes: [] });
  let traces = chart.data.map((trace) => [trace.where, trace]);
  if (chart.each) {
    const named = (name) => chart.data.map((trace) => [["label", name], { ...trace, name }]);
    traces = Object.keys(question.tones).flatMap(named);
  }
  for (const [panel, some] of groups) {
    const names = lines.get(panel), spot = spots.get(panel);
    const ends = endsOf(question, chart.scale === "shared" ? everything : some, chart.room);
    const columns = columnsOf(chart, question, some, names, ends[1], palette, level, spot.width, places, first);
    const values = valuesOf(chart, question, panel, spot, some, names, ends, palette);
    if (chart.weighted) {
      const longest = Math.max(...some.map((row) => shown(row.value, question.decimals).length));
      const step = Math.ceil(((longest + 0.25) * LETTER * names.length) / spot.width);
      for (const row of columns) if (row.line % step) row.said = "";
    }
    if (question.rows === "curve") {
      mark(columns);
      Object.assign(values, crossingOf(question, some, level));
      values.bottom = Math.max(0, Math.min(...everything.map((row) => row.p25)) - 0.1);
      values.last = Math.max(...everything.map((row) => row.x)) + 2;
      const settled = everything.filter((row) => row.x > 8 || everything.length < 9);
      values.top = Math.max(...settled.map((row) => row.p75)) + 0.08;
    }
    for (const [where, { where: _, ...trace }] of traces) {
      const kept = where ? columns.filter((row) => row[where[0]] === where[1]) : columns;
      if (kept.length) data.push({ xaxis: values.x, yaxis: values.y, ...fill(trace, kept, values, palette) });
    }
    for (const axis of ["xaxis", "yaxis"]) layout[axis + spot.tail] = fill(chart[axis], columns, values, palette);
    for (const part of ["annotations", "shapes"]) layout[part].push(...fill(chart[part], columns, values, palette));
  }
  return { data, layout };
}

// Breaks names of two words into lines, each name lower than the previous one, to avoid overlaps.
function stepped(names) {
  const two = names.filter((name) => name.includes(" "));
  const broken = (name) => "<br>".repeat(1 + 2 * two.indexOf(name)) + plain(name).replaceAll(" ", "<br>");
  return names.map((name) => (two.includes(name) ? broken(name) : plain(name)));
}

const longestOf = (names) => Math.max(0, ...names.flatMap((name) => name.split("<br>")).map((line) => line.length));

// Breaks names such as "R red" into two lines; if they do not fit in a row, only their first words are left.
function brokenNames(names, width) {
  const broken = names.map((name) => plain(name).replace(" ", "<br>"));
  const isFitting = width >= LETTER * names.length * (longestOf(broken) + 1);
  return isFitting ? broken : broken.map((name) => name.split("<br>")[0]);
}

// Labels the two curves at a common turn, one label above and one below.
function mark(columns) {
  const [achieved, needed] = [0, 1].map((series) => new Map(
    columns.filter((row) => row.series === series).map((row) => [row.x, row.value])));
  const shared = [...achieved.keys()].filter((turn) => needed.has(turn));
  const spot = shared[Math.floor(shared.length * 0.42)];
  const isOver = spot === undefined || achieved.get(spot) >= needed.get(spot);
  for (const row of columns) {
    const isUpper = (row.series === 0) === isOver;
    row.mark = row.x === spot ? ["<b>achieved</b>", "<b>needed</b>"][row.series] : "";
    row.side = isUpper ? "top center" : "bottom center";
    row.edge = isUpper ? row.p75 : row.p25;
  }
}

// The turn at which needed rises above achieved, and its label on the wider side.
function crossingOf(question, rows, level) {
  const [from] = crossing(rows, level) ?? [];
  const at = rows.find((row) => row.series === 1 && row.x === from);
  const isLate = at && at.x > 0.55 * Math.max(...rows.map((row) => row.x));
  return { crosses: at !== undefined, crossing: at ? words(question.say.mark, { from }) : "",
    crossing_x: at?.x ?? 0, crossing_y: at?.value ?? 0, crossing_aside: isLate ? -70 : 60 };
}
