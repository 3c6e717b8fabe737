// Charts: rows in, what Plotly draws out. The kinds are those of hanalyze/report/figures.py.
"use strict";

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
// Plotly reads some HTML in its texts: strangers' words are not to be any.
const plain = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const MINUS = "−";
// What is more than 0 is not shown as 0, where one or two decimals more tell it.
const shown = (value, decimals) => {
  if (value === null || Number.isNaN(value)) return "–";
  const texts = [0, 1, 2].map((more) => value.toFixed(decimals + more));
  const text = (value > 0 && texts.find((one) => Number(one) > 0)) || texts[0];
  return text.replace("-", MINUS).replace(/^−(0(\.0*)?)$/, "$1");
};
const signed = (value, decimals) => (value.toFixed(decimals) > 0 ? "+" : "") + shown(value, decimals);
const count = (n) => Math.round(n).toLocaleString("en-US");

function colours() {
  const ink3 = css("ink3");
  return { ink1: css("ink1"), ink2: css("ink2"), ink3, rule: css("rule"), faint: css("faint"), panel: css("panel"),
    good: css("good"), warn: css("warn"), bad: css("bad"), bar: ink3 + "8C", font: css("font") };
}
const toneOf = (c, tone) => ({ good: c.good, bad: c.bad, warn: c.warn })[tone] || c.bar;

function layoutOf(c, width, height, margin) {
  return { width, height, margin: { l: 8, r: 8, t: 8, b: 8, ...margin }, paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)", showlegend: false, font: { family: c.font, size: 12, color: c.ink2 },
    hoverlabel: { bgcolor: c.panel, bordercolor: c.rule, font: { family: c.font, size: 12.5, color: c.ink1 }, align: "left" },
    annotations: [], shapes: [], dragmode: false, hovermode: "closest", bargap: 0.18 };
}
const axis = (c, more) => ({ fixedrange: true, zeroline: false, showgrid: false, showline: false, ticks: "",
  tickfont: { size: 12, color: c.ink2 }, ...more });
const named = (letter, number) => letter + (number ? number + 1 : "");
const keyOf = (letter, number) => `${letter}axis${number ? number + 1 : ""}`;
const note = (x, y, text, more) => ({ x, y, text, showarrow: false, ...more });

function hover(row, question) {
  const range = row.low === null ? "" : `<br>95%: ${shown(row.low, question.decimals)} to ${shown(row.high, question.decimals)}`;
  const place = row.panel && row.panel !== row.label ? `${plain(row.panel)}, ` : "";
  const counts = row.y === undefined ? "" : `<br>${count(row.x)} of ${count(row.y)}, ${count(row.n)} games`;
  return `${place}<b>${plain(row.label)}</b><br>${shown(row.value, question.decimals)} ${plain(question.unit)}${range}${counts}`;
}
const whisker = (rows, colour, more) => ({ type: "data", symmetric: false, thickness: 1.4, width: 0, color: colour,
  array: rows.map((r) => (r.high === null ? 0 : r.high - r.value)),
  arrayminus: rows.map((r) => (r.low === null ? 0 : r.value - r.low)), ...more });
const highest = (rows) => Math.max(1e-9, ...rows.map((r) => (r.high === null ? r.value : r.high)));

// How wide a text is, about.
const widthOf = (text, size = 12.5) => String(text).length * size * 0.54;
function fitted(text, room, size = 12.5) {
  const most = Math.max(4, Math.floor(room / size / 0.54));
  return text.length <= most ? text : text.slice(0, most - 1) + "…";
}

const CHARTS = {};

CHARTS.columns = (question, rows, width) => {
  const c = colours(), height = width < 500 ? 260 : 300;
  const layout = layoutOf(c, width, height, { t: 26, b: 56 });
  rows = rows.filter((row) => row.label !== "broken off" || row.x);
  const small = width < 500;
  const place = (row, i) => (row.label === "struck out" ? i + 0.6 : row.label === "broken off" ? i + (small ? 1.3 : 0.6) : i);
  const x = rows.map(place);
  layout.xaxis = axis(c, { range: [-0.7, x[x.length - 1] + 0.7], tickvals: x, tickangle: 0,
    ticktext: rows.map((row) => (row.label.includes(" ") ? "" : row.label)) });
  layout.yaxis = axis(c, { visible: false, range: [0, highest(rows) * 1.1] });
  layout.shapes.push({ type: "line", xref: "paper", x0: 0, x1: 1, y0: 0, y1: 0, line: { color: c.rule, width: 1 } });
  rows.forEach((row, i) => {
    const strong = row.tone !== "plain";
    const text = row.x && row.value < 0.5 ? "&lt;1" : shown(row.value, 0);
    if (row.x) layout.annotations.push(note(x[i], row.high, strong ? `<b>${text}%</b>` : text,
      { yanchor: "bottom", font: { size: small ? 11 : 12.5, color: strong ? toneOf(c, row.tone) : c.ink2 } }));
    if (row.label.includes(" ")) layout.annotations.push(note(x[i], 0, row.label.replace(" ", "<br>"),
      { yanchor: "top", yshift: -4, font: { size: small ? 11 : 12, color: strong ? toneOf(c, row.tone) : c.ink2 } }));
    if (row.label === "0") layout.annotations.push(note(x[i], 0, "perfect",
      { yanchor: "top", yshift: -20, font: { size: 12, color: c.good } }));
  });
  layout.annotations.push(note(5, 0, question.axis, { yanchor: "top", yshift: -20 - (small ? 16 : 0), font: { size: 12, color: c.ink3 } }));
  const data = [{ type: "bar", x, y: rows.map((row) => row.value), marker: { color: rows.map((row) => toneOf(c, row.tone)), cornerradius: 3 },
    error_y: whisker(rows, c.ink2), hovertext: rows.map((row) => hover(row, question)), hoverinfo: "text" }];
  return { data, layout };
};

CHARTS.bars = (question, all, width) => {
  const c = colours();
  const panels = question.panels.length ? question.panels : [""];
  const beside = width > 620 && panels.length > 1;
  const groups = panels.map((panel) => {
    const rows = all.filter((row) => row.panel === panel && (row.x || row.label === "Struck out"));
    return question.sort ? rows.sort((a, b) => b.value - a.value) : rows;
  });
  const most = Math.max(...groups.map((rows) => rows.length));
  const head = panels.length > 1 ? 30 : 4, step = most > 7 ? 36 : 46;
  const heights = groups.map((rows, p) => head + Math.max(1, rows.length) * step + (p && !beside ? 16 : 0));
  const height = (beside ? Math.max(...heights) : heights.reduce((a, b) => a + b, 0)) + 12;
  const layout = layoutOf(c, width, height, { t: 0, b: 0 });
  const data = [];
  let top = 0;
  groups.forEach((rows, p) => {
    const x = beside ? [p / panels.length + (p ? 0.02 : 0), (p + 1) / panels.length - 0.02] : [0, 1];
    const y1 = 1 - (beside ? 0 : top + (p ? 16 : 0)) / height, y0 = 1 - (beside ? heights[p] : top + heights[p]) / height;
    top += heights[p];
    const inner = (x[1] - x[0]) * (width - 16);
    const strongest = rows.length ? rows.reduce((a, b) => (b.value > a.value ? b : a)) : null;
    layout[keyOf("x", p)] = axis(c, { domain: x, anchor: named("y", p), visible: false, range: [0, highest(rows) * inner / Math.max(40, inner - 58)] });
    layout[keyOf("y", p)] = axis(c, { domain: [Math.max(0, y0), y1 - head / height], anchor: named("x", p), visible: false, range: [Math.max(1, rows.length), step < 46 ? -0.05 : 0] });
    if (panels.length > 1) layout.annotations.push(note(x[0], y1, `<b>${plain(panels[p])}</b>  ${rows.length ? `${count(rows[0].n)} games` : ""}`,
      { xref: "paper", yref: "paper", xanchor: "left", yanchor: "top", font: { size: 13, color: c.ink1 } }));
    if (!rows.length) layout.annotations.push(note(x[0], y1 - head / height, "none", { xref: "paper", yref: "paper", xanchor: "left", yanchor: "top" }));
    rows.forEach((row, i) => {
      const sure = { xref: named("x", p), yref: named("y", p) };
      layout.annotations.push(note(0, i + (step < 46 ? -0.04 : 0.05), plain(fitted(row.label, inner, 13)), { ...sure, xanchor: "left", yanchor: "top", xshift: -2, font: { size: 13, color: c.ink1 } }));
      const tone = question.tones[""] ? (row === strongest ? question.tones[""] : "plain") : row.tone;
      row.fill = tone;
      layout.annotations.push(note(row.high === null ? row.value : row.high, i + 0.68, `<b>${shown(row.value, question.decimals)}</b>`,
        { ...sure, xanchor: "left", xshift: 5, font: { size: 12.5, color: tone === "plain" ? c.ink1 : toneOf(c, tone) } }));
    });
    data.push({ type: "bar", orientation: "h", x: rows.map((row) => row.value), y: rows.map((_, i) => i + 0.68), width: 0.34,
      xaxis: named("x", p), yaxis: named("y", p), marker: { color: rows.map((row) => toneOf(c, row.fill)), cornerradius: 2 },
      error_x: whisker(rows, c.ink1), hovertext: rows.map((row) => hover(row, question)), hoverinfo: "text" });
  });
  return { data, layout };
};

// Dots with whiskers: rows down, panels across; `perfect` has its own rows in each panel. `more.zero`: differences,
// from a line at 0, with `more.words` for less and more; `more.apart`: rows in their order, a scale for each panel.
CHARTS.dots = (question, all, width, more = {}) => {
  const c = colours(), small = width < 560;
  const panels = (question.panels.length ? question.panels : [""]).filter((panel) => all.some((row) => row.panel === panel));
  if (!panels.length) return null;
  const own = question.name === "perfect";
  const rate = (label) => {
    const some = all.filter((row) => row.label === label);
    return some.reduce((sum, row) => sum + row.x, 0) / some.reduce((sum, row) => sum + row.y, 0);
  };
  const labels = own ? null : [...new Set(all.map((row) => row.label))].filter((label) => more.zero || more.apart || rate(label) > 0);
  if (labels && !more.zero && !more.apart) labels.sort((a, b) => rate(b) - rate(a));
  if (!own && !labels.length) return null;
  const groups = panels.map((panel) => all.filter((row) => row.panel === panel && (own || labels.includes(row.label))));
  const stacked = small && (own || more.zero) && panels.length > 1;
  const lines = own ? Math.max(...groups.map((rows) => rows.length)) : labels.length;
  const above = small && !own && !more.zero;
  const step = above ? 44 : 27, head = panels[0] ? (more.apart ? 28 : 44) : more.zero ? 24 : 8, foot = 38;
  const names = own ? groups.flat().map((row) => row.label) : labels;
  const gutter = above ? 0 : Math.min(small ? (more.words ? 182 : own ? 170 : 130) : width > 900 ? 270 : 230, Math.max(...names.map((name) => widthOf(name))) + (more.zero && panels.length === 1 ? 66 : 16));
  const sizes = groups.map((rows) => head + (own ? rows.length : lines) * step + foot);
  const height = stacked ? sizes.reduce((a, b) => a + b, 0) : head + lines * step + foot;
  const layout = layoutOf(c, width, height, { t: 0, b: 0, l: 0, r: 0 });
  const data = [];
  // What was found sets the scale: where nothing was, of few opportunities, the interval may reach beyond it.
  const found = groups.flat().filter((row) => row.x || own || more.zero);
  const lowest = Math.min(0, ...all.map((row) => row.low ?? row.value)), most = highest(found.length ? found : groups.flat());
  let top = 0;
  groups.forEach((rows, p) => {
    const first = own || stacked || p === 0;
    const across = stacked ? 1 : panels.length;
    const room = own || stacked ? width / across : (width - gutter) / across;
    const left = own || stacked ? (stacked ? 0 : p * width / across) : gutter + p * room;
    const x0 = (left + (own || stacked ? gutter : 0) + (p && own && !stacked ? 18 : 0) + 6) / width, x1 = (left + room - 12) / width;
    const rowsHere = own ? rows.length : lines;
    const y1 = 1 - (top + head) / height, y0 = y1 - rowsHere * step / height;
    if (stacked) top += sizes[p];
    const inner = (x1 - x0) * width, pad = more.zero && panels.length > 1 ? 0 : 34, alone = more.apart || (more.zero && panels.length > 1);
    let hi = alone ? Math.max(0.01, highest(rows)) : Math.max(0.01, most);
    let lo = alone ? Math.min(0, ...rows.map((row) => row.low ?? row.value)) : lowest;
    if (more.zero) { // on both sides of 0 there is room for its word
      if (hi <= 0.01 && lo === 0) { hi = 1; lo = -1; }
      const words = more.words ?? ["worse", "better"], side = Math.min(0.45, (Math.max(...words.map((word) => widthOf(word, 12))) + 30) / inner);
      lo = Math.min(lo, -hi * side / (1 - side));
      hi = Math.max(hi, -lo * side / (1 - side));
    }
    const range = [lo - (hi - lo) * 0.03, hi + (hi - lo) * (pad / Math.max(60, inner - pad) + 0.03)];
    layout[keyOf("x", p)] = axis(c, { domain: [x0, x1], anchor: named("y", p), range, nticks: Math.max(2, Math.round(inner / 70)),
      showgrid: true, gridcolor: c.faint, tickfont: { size: 12, color: c.ink2 } });
    layout[keyOf("y", p)] = axis(c, { domain: [Math.max(0, y0), y1], anchor: named("x", p), visible: false, range: [rowsHere - 0.5, -0.5] });
    const sure = { xref: named("x", p), yref: named("y", p) };
    const zero = { type: "line", ...sure, x0: 0, x1: 0, y0: -0.5, y1: rowsHere - 0.5, line: { color: more.zero ? c.ink3 : c.rule, width: 1 } };
    layout.shapes.push(zero);
    if (panels[p]) {
      const n = own || more.zero || more.apart ? "" : `<br>${count(Math.max(...rows.map((row) => row.y)))}`;
      layout.annotations.push(note(x0, y1 + (head - 2) / height, `<b>${plain(panels[p])}</b>${n}`,
        { xref: "paper", yref: "paper", xanchor: "left", yanchor: "top", align: "left", font: { size: 12.5, color: c.ink1 } }));
    }
    const best = more.zero || more.apart ? null : Math.max(...rows.map((row) => row.value));
    rows.forEach((row, i) => {
      const y = own ? i : labels.indexOf(row.label);
      row.line = y;
      if (best !== null && row.value === best && row.x && !own) row.tone = "bad";
      row.cut = !more.zero && row.high !== null && row.high > range[1];
      const said = shown(row.value, question.decimals) + (row.cut ? `, up to ${shown(row.high, row.high < 10 ? question.decimals : 0)}` : "");
      if (!more.zero) layout.annotations.push(note(row.cut ? range[1] : row.high ?? row.value, y, said, { ...sure, ...(row.cut ? { xanchor: "right", bgcolor: c.panel } : { xanchor: "left", xshift: 5 }),
        font: { size: 12.5, color: row.tone === "plain" ? c.ink2 : toneOf(c, row.tone) } }));
    });
    if (first) (own ? rows.map((row) => row.label) : labels).forEach((label, y) => {
      const row = rows.find((one) => one.label === label) || {};
      const tail = more.zero && panels.length === 1 ? ` <span style="font-size:11px">${count(row.uses ?? row.n)}</span>` : "";
      layout.annotations.push(above ? note(range[0], y - 0.42, plain(fitted(label, width)), { ...sure, xanchor: "left", yanchor: "middle", font: { size: 13, color: c.ink1 } })
        : note((x0 * width - 10) / width, y, plain(fitted(label, gutter - (tail ? 62 : 12))) + tail,
          { xref: "paper", yref: named("y", p), xanchor: "right", align: "right", font: { size: 13, color: row.dim ? c.ink3 : c.ink1 } }));
    });
    const colour = (row) => (row.dim ? c.bar : row.tone === "plain" ? c.ink2 : toneOf(c, row.tone));
    for (const row of rows) {
      data.push({ type: "scatter", mode: "markers", x: [row.value], y: [row.line], xaxis: named("x", p), yaxis: named("y", p),
        marker: { size: more.zero ? 10 : 8, color: row.open ? c.panel : colour(row), line: { width: row.open ? 1.8 : 0, color: colour(row) },
          symbol: row.tone === "bad" && more.zero ? "diamond" : "circle", opacity: 1 },
        error_x: whisker([row.cut ? { ...row, high: range[1] } : row], colour(row)), hovertext: [hover(row, question)], hoverinfo: "text" });
    }
    if (more.zero && (p === 0 || panels.length > 1)) {
      const good = panels[p] === "Cards per clue" || question.better > 0;
      const [before, after] = more.words ?? (good ? ["worse", "better"] : ["better", "worse"]), bad = more.words ? c.warn : c.bad;
      layout.annotations.push(note(0, -0.5, `← ${before}`, { ...sure, xanchor: "right", yanchor: "bottom", xshift: -6, font: { size: 12, color: good ? bad : c.good } }));
      layout.annotations.push(note(0, -0.5, `${after} →`, { ...sure, xanchor: "left", yanchor: "bottom", xshift: 6, font: { size: 12, color: good ? c.good : bad } }));
    }
  });
  layout.annotations.push(note(0.5, 0, plain(question.axis), { xref: "paper", yref: "paper", yanchor: "bottom", font: { size: 12, color: c.ink3 } }));
  return { data, layout };
};

CHARTS.field = (question, rows, width) => CHARTS.dots(question, rows, width, { zero: true });

// Values over an ordered axis, panels side by side.
CHARTS.trend = (question, all, width) => {
  const c = colours(), small = width < 560;
  const panels = (question.panels.length ? question.panels : [...new Set(all.map((row) => row.panel))])
    .filter((panel) => all.some((row) => row.panel === panel));
  if (!panels.length) return null;
  const groups = panels.map((panel) => all.filter((row) => row.panel === panel));
  const across = small ? Math.min(2, panels.length) : panels.length;
  const packed = []; // lines of panels: a long one has a line of its own where there is little room
  groups.forEach((rows, p) => {
    const line = packed[packed.length - 1];
    const long = small && rows.length > 6;
    if (!line || line.full || line.length >= across || (long && line.length)) { const fresh = [p]; fresh.full = long; packed.push(fresh); } else { line.push(p); line.full = long; }
  });
  const each = panels.length > 1 ? 240 : 260, height = each * packed.length + 10;
  const layout = layoutOf(c, width, height, { t: 0, b: 0, l: 0, r: 0 });
  const data = [], most = highest(all);
  packed.forEach((line, number) => {
    const weights = line.map((p) => groups[p].length + 1.4), total = weights.reduce((a, b) => a + b, 0);
    let left = 0;
    line.forEach((p, place) => {
      const rows = groups[p];
      const x0 = left / total, x1 = (left + weights[place]) / total - 0.015;
      left += weights[place];
      const y1 = 1 - (number * each + (panels.length > 1 ? 46 : 26)) / height, y0 = 1 - ((number + 1) * each - 44) / height;
      const inner = (x1 - x0) * width / rows.length;
      const every = Math.max(1, Math.ceil((Math.max(...rows.map((row) => widthOf(row.label, 12))) * 1.1 + 6) / inner));
      layout[keyOf("x", p)] = axis(c, { domain: [x0, x1], anchor: named("y", p), range: [-0.6, rows.length - 0.4], tickangle: 0,
        tickvals: rows.map((_, i) => i).filter((i) => i % every === 0), ticktext: rows.filter((_, i) => i % every === 0).map((row) => plain(row.label)) });
      layout[keyOf("y", p)] = axis(c, { domain: [y0, y1], anchor: named("x", p), visible: false, range: [0, most * 1.06] });
      const sure = { xref: named("x", p), yref: named("y", p) };
      layout.shapes.push({ type: "line", ...sure, x0: -0.6, x1: rows.length - 0.4, y0: 0, y1: 0, line: { color: c.rule, width: 1 } });
      if (question.name === "odds") layout.shapes.push({ type: "line", ...sure, x0: 0, x1: rows.length - 1,
        y0: Math.min(100, parseInt(rows[0].label, 10) + 5), y1: Math.min(100, parseInt(rows[rows.length - 1].label, 10) + 5), line: { color: c.ink3, width: 1, dash: "dot" } });
      if (panels.length > 1) layout.annotations.push(note(x0, y1 + 44 / height, `<b>${plain(panels[p])}</b>`, { xref: "paper", yref: "paper", xanchor: "left", yanchor: "top", font: { size: 13, color: c.ink1 } }));
      const peak = rows.reduce((a, b) => (b.value > a.value ? b : a));
      const rest = rows.filter((row) => row !== peak);
      const clear = rest.every((row) => peak.low !== null && (row.high === null || peak.low > row.high));
      rows.forEach((row, i) => {
        const strong = row === peak && clear && rows.length > 1;
        row.shade = strong && question.name !== "odds" ? (["need", "discards_by"].includes(question.name) ? c.bad : c.good) : c.ink2;
        if (inner > 22 || i % 2 === 0) layout.annotations.push(note(i, row.high ?? row.value, strong ? `<b>${shown(row.value, question.decimals)}</b>` : shown(row.value, question.decimals),
          { ...sure, yanchor: "bottom", yshift: 2, font: { size: inner < 30 ? 10.5 : 12, color: row.shade } }));
      });
      data.push({ type: "scatter", mode: rows.length > 5 && panels[p] !== "Suit" ? "markers+lines" : "markers", x: rows.map((_, i) => i), y: rows.map((row) => row.value),
        xaxis: named("x", p), yaxis: named("y", p), line: { color: c.bar, width: 1.2 }, marker: { size: 8, color: rows.map((row) => row.shade) },
        error_y: whisker(rows, c.ink2), hovertext: rows.map((row) => hover(row, question)), hoverinfo: "text" });
    });
  });
  layout.annotations.push(note(0.5, 0, plain(question.axis), { xref: "paper", yref: "paper", yanchor: "bottom", font: { size: 12, color: c.ink3 } }));
  return { data, layout };
};

// Shares of a whole, a bar for each panel.
CHARTS.stack = (question, all, width) => {
  const c = colours();
  const panels = [...new Set(all.map((row) => row.panel))];
  if (!panels.length) return null;
  const words = Object.keys(question.tones).filter((word) => all.some((row) => row.label === word && row.x));
  const fill = { good: c.good, good2: c.good + "8C", bad: c.bad, warn: c.warn, warn2: c.warn + "8C", plain: c.bar, faint: c.faint };
  const text = { good: c.panel, good2: c.ink1, bad: c.panel, warn: c.panel, warn2: c.ink1, plain: c.ink1, faint: c.ink2 };
  const lines = [[]];
  let used = 0;
  for (const word of words) {
    const room = widthOf(word) + 28;
    if (used + room > width && used) { lines.push([]); used = 0; }
    lines[lines.length - 1].push(word); used += room;
  }
  const head = 10 + lines.length * 20, height = head + panels.length * 52;
  const layout = layoutOf(c, width, height, { t: head, b: 0, l: 0, r: 0 });
  layout.xaxis = axis(c, { range: [0, 100], visible: false });
  layout.yaxis = axis(c, { range: [panels.length, 0], visible: false });
  layout.barmode = "stack";
  lines.forEach((line, i) => layout.annotations.push(note(0, 1, line.map((word) => `<span style="color:${fill[question.tones[word]]}">■</span> ${word}`).join("   "),
    { xref: "paper", yref: "paper", xanchor: "left", yanchor: "bottom", yshift: (lines.length - 1 - i) * 20 + 4, font: { size: 12.5, color: c.ink2 } })));
  const data = words.map((word) => {
    const rows = panels.map((panel) => all.find((row) => row.panel === panel && row.label === word) || { value: 0, low: 0, high: 0, x: 0, y: 0, n: 0, label: word, panel });
    return { type: "bar", orientation: "h", x: rows.map((row) => row.value), y: panels.map((_, i) => i + 0.68), width: 0.42,
      marker: { color: fill[question.tones[word]], line: { width: 1, color: c.panel } }, hovertext: rows.map((row) => hover(row, question)), hoverinfo: "text",
      text: rows.map((row) => (row.value / 100 * width < 26 ? "" : row.value / 100 * width > widthOf(word) + 40 ? `${shown(row.value, 0)} ${word}` : shown(row.value, 0))),
      textposition: "inside", insidetextanchor: "middle", textangle: 0, constraintext: "none", textfont: { size: 12.5, color: text[question.tones[word]] } };
  });
  panels.forEach((panel, i) => {
    const row = all.find((one) => one.panel === panel);
    layout.annotations.push(note(0, i + 0.42, `${plain(panel)}  <span style="font-size:12px">${count(row.y)}</span>`, { xanchor: "left", yanchor: "bottom", xshift: -2, font: { size: 13, color: c.ink1 } }));
  });
  return { data, layout };
};

CHARTS.bands = (question, panels, width) => {
  if (!panels.length) return null;
  const c = colours(), small = width < 640;
  const each = 268, height = (small ? each * panels.length : each) + 26;
  const layout = layoutOf(c, width, height, { t: 0, b: 0, l: 0, r: 0 });
  const all = panels.flatMap((panel) => panel.rows);
  const settled = all.filter((row) => row.turn > 8);
  const low = Math.min(...all.map((row) => row.p25)), high = Math.max(...(settled.length ? settled : all).map((row) => row.p75));
  const last = Math.max(...all.map((row) => row.turn));
  const data = [];
  panels.forEach((panel, p) => {
    const gap = 34;
    const room = small ? width : width / panels.length;
    const x0 = (small ? gap : p * room + gap) / width, x1 = (small ? width - 8 : (p + 1) * room - 10) / width;
    const y1 = 1 - ((small ? p : 0) * each + 30) / height, y0 = 1 - ((small ? p : 0) * each + each - 24) / height;
    layout[keyOf("x", p)] = axis(c, { domain: [x0, x1], anchor: named("y", p), range: [0, last + 2], tickvals: Array.from({ length: Math.floor(last / 10) }, (_, i) => 10 * (i + 1)).filter((turn) => !small || last < 50 || turn % 20 === 0) });
    layout[keyOf("y", p)] = axis(c, { domain: [y0, y1], anchor: named("x", p), range: [Math.max(0, low - 0.1), high + 0.08], showgrid: true, gridcolor: c.faint,
      tickformat: ".1f", nticks: 7 });
    const sure = { xref: named("x", p), yref: named("y", p) };
    layout.annotations.push(note(x0, y1, `<b>${panel.name}</b>  ${count(panel.games)} games`, { xref: "paper", yref: "paper", xanchor: "left", yanchor: "bottom", yshift: 4, xshift: 4, font: { size: 13, color: c.ink1 } }));
    // The names stand where both curves are, one above and one below.
    const medians = [0, 1].map((series) => new Map(panel.rows.filter((row) => row.series === series).map((row) => [row.turn, row.median])));
    const shared = [...medians[0].keys()].filter((turn) => medians[1].has(turn));
    const spot = shared[Math.floor(shared.length * 0.42)];
    const upper = spot === undefined || medians[0].get(spot) >= medians[1].get(spot) ? 0 : 1;
    [0, 1].forEach((series) => {
      const rows = panel.rows.filter((row) => row.series === series);
      if (!rows.length) return;
      const colour = series ? c.ink3 : c.good;
      const turns = rows.map((row) => row.turn), on = { xaxis: named("x", p), yaxis: named("y", p), type: "scatter", hoverinfo: "skip", mode: "lines" };
      for (const [from, to, opacity] of [["p25", "p75", "24"], ["low", "high", "4D"]]) {
        data.push({ ...on, x: [...turns, ...[...turns].reverse()], y: [...rows.map((row) => row[from]), ...[...rows].reverse().map((row) => row[to])],
          fill: "toself", fillcolor: colour + opacity, line: { width: 0 } });
      }
      data.push({ ...on, x: turns, y: rows.map((row) => row.median), line: { color: colour, width: 2.2, dash: series ? "4px,3px" : "solid" }, hoverinfo: "text",
        hovertext: rows.map((row) => `turn ${row.turn}: <b>${shown(row.median, 2)}</b> ${series ? "needed" : "achieved"}<br>95%: ${shown(row.low, 2)} to ${shown(row.high, 2)}<br>middle half: ${shown(row.p25, 2)} to ${shown(row.p75, 2)}<br>${count(row.n)} games`) });
      const at = rows.find((row) => row.turn === spot) || rows[Math.floor(rows.length * 0.42)];
      const over = series === upper;
      layout.annotations.push(note(at.turn, over ? Math.min(at.p75, high - (high - low) * 0.08) : at.p25, `<b>${series ? "needed" : "achieved"}</b>`,
        { ...sure, yanchor: over ? "bottom" : "top", yshift: over ? 3 : -3, font: { size: 13, color: colour } }));
    });
    const stretch = crossing(panel.rows);
    if (stretch) {
      const [turn] = stretch;
      const row = panel.rows.find((one) => one.series === 1 && one.turn === turn);
      layout.annotations.push({ x: turn, y: row.median, ...sure, text: `turn ${turn}: need passes<br>what was achieved`, showarrow: true, arrowhead: 0, arrowwidth: 1, arrowcolor: c.bad, ax: turn > last * 0.55 ? -70 : 60, ay: -64, font: { size: 12, color: c.bad } });
    }
  });
  layout.annotations.push(note(0.5, 0, "turn", { xref: "paper", yref: "paper", yanchor: "bottom", font: { size: 12, color: c.ink3 } }));
  return { data, layout };
};

// From which turn to which the need is clearly above what was achieved: the longest stretch of two points or
// more, or null. The second turn is null where it lasts to the end.
function crossing(rows) {
  const needed = new Map(rows.filter((row) => row.series === 1).map((row) => [row.turn, row]));
  const both = rows.filter((row) => row.series === 0 && needed.has(row.turn));
  let longest = [], run = [];
  for (const row of both) {
    run = needed.get(row.turn).low > row.high ? [...run, row.turn] : [];
    if (run.length > longest.length) longest = run;
  }
  if (longest.length < 2) return null;
  const last = longest[longest.length - 1];
  return [longest[0], last === both[both.length - 1].turn ? null : last];
}

CHARTS.matrix = (question, rows, width) => {
  const c = colours();
  const judged = rows.filter((row) => row.value !== null);
  const used = [...new Set((judged.length ? judged : rows).flatMap((row) => [row.a, row.b]))].sort((a, b) => a - b).slice(0, width < 500 ? 10 : 14);
  const order = used.map((number) => ({ number, name: DATA.players[number] })).sort((a, b) => a.name.localeCompare(b.name));
  if (order.length < 2 || !judged.length) return null;
  const size = order.length - 1, left = Math.min(110, Math.max(...order.map((one) => widthOf(one.name))) + 10);
  const cell = Math.max(22, Math.min(34, 330 / size)), height = size * cell + 74;
  const layout = layoutOf(c, width, height, { l: left, b: 70, t: 0, r: 2 });
  const z = [], text = [], tips = [], most = Math.max(0.5, ...rows.filter((row) => row.value !== null).map((row) => Math.abs(row.value)));
  for (let i = 1; i <= size; i++) {
    z.push([]); text.push([]); tips.push([]);
    for (let j = 0; j < size; j++) {
      const row = j < i ? rows.find((one) => [one.a, one.b].includes(order[i].number) && [one.a, one.b].includes(order[j].number)) : undefined;
      z[i - 1].push(row && row.value !== null ? row.value : null);
      const number = row && row.value !== null ? signed(row.value, 1) : "";
      text[i - 1].push(!row ? "" : row.value === null ? "·" : row.clear ? `<b>${number}</b>` : number);
      tips[i - 1].push(!row ? "" : `<b>${plain(order[i].name)}, ${plain(order[j].name)}</b><br>${row.value === null ? "under 25 games" : `${signed(row.value, 2)} points, 95%: ${signed(row.value - Z * row.error, 2)} to ${signed(row.value + Z * row.error, 2)}`}<br>${count(row.games)} games`);
    }
  }
  const short = (name) => plain(fitted(name, 76));
  layout.xaxis = axis(c, { tickvals: order.slice(0, size).map((_, i) => i), ticktext: order.slice(0, size).map((one) => short(one.name)), tickangle: size > 7 || width < 500 ? -50 : 0, tickfont: { size: 12, color: c.ink2 }, range: [-0.5, size - 0.5] });
  layout.yaxis = axis(c, { tickvals: order.slice(1).map((_, i) => i), ticktext: order.slice(1).map((one) => short(one.name)), autorange: false, range: [size - 0.5, -0.5], tickfont: { size: 12.5, color: c.ink1 } });
  const font = width < 500 ? 10 : 12;
  const data = [{ type: "heatmap", z, text, texttemplate: "%{text}", textfont: { size: font, color: c.ink1 }, hovertext: tips, hoverinfo: "text", hoverongaps: false, xgap: 2, ygap: 2, showscale: false,
    zmin: -most, zmax: most, colorscale: [[0, css("bad") + "80"], [0.5, c.faint], [1, css("good") + "80"]] }];
  text.forEach((line, i) => line.forEach((one, j) => { if (one === "·") layout.annotations.push(note(j, i, "·", { font: { color: c.ink3 } })); }));
  return { data, layout };
};
