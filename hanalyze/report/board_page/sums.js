// Sums over the cells that the filters leave, and the numbers made of them. The same formulas as in
// hanalyze/report/estimates.py.
"use strict";

const Z = 1.959963984540054;
const DATA = JSON.parse(document.getElementById("data").textContent);
const state = { players: null, variant: null, player: null };

for (const table of Object.values(DATA.tables)) {
  for (const part of ["found", "of"]) {
    const starts = new Map();
    table[part][0].forEach((cell, row) => { if (!starts.has(cell)) starts.set(cell, row); });
    table[part].starts = starts;
  }
}

// The cells of a filter; `player` is a number, -1 for the games whoever played them.
function cellsOf(filter, player) {
  const result = [];
  DATA.cells.forEach(([size, variant, who], cell) => {
    if (who === player && (filter.players === null || size === filter.players) &&
        (filter.variant === null || variant === filter.variant)) result.push(cell);
  });
  return result;
}

const chosenPlayer = (filter) => (filter.player === null ? -1 : filter.player);
const chosenCells = (filter) => cellsOf(filter, chosenPlayer(filter));
const gamesOf = (cells) => cells.reduce((sum, cell) => sum + DATA.cells[cell][3], 0);

// Sums by key of a table over some cells: {x, xx, xy, n, y, yy}.
function sumsOf(name, cells) {
  const table = DATA.tables[name];
  const of = new Map();
  const keys = table.keys.map(([panel, label, number]) => {
    if (!of.has(number)) of.set(number, { n: 0, y: 0, yy: 0 });
    return { panel, label, of: of.get(number), x: 0, xx: 0, xy: 0 };
  });
  for (const cell of cells) {
    let row = table.of.starts.get(cell);
    if (row !== undefined) {
      const [at, number, n, y, yy] = table.of;
      for (; at[row] === cell; row++) {
        const sum = of.get(number[row]);
        if (sum) { sum.n += n[row]; sum.y += y[row]; sum.yy += yy[row]; }
      }
    }
    row = table.found.starts.get(cell);
    if (row !== undefined) {
      const [at, key, x, xx, xy] = table.found;
      for (; at[row] === cell; row++) {
        const sum = keys[key[row]];
        sum.x += x[row]; sum.xx += xx[row]; sum.xy += xy[row];
      }
    }
  }
  return keys.map((key) => ({ ...key, ...key.of, of: undefined }));
}

function wilson(x, y) {
  if (!y) return [0, 1];
  const z2 = Z * Z, middle = (x + z2 / 2) / (y + z2);
  const half = Math.sqrt(z2 * (x * (y - x) / y + z2 / 4)) / (y + z2);
  return [x === 0 ? 0 : middle - half, x === y ? 1 : middle + half];
}

// The variance of x / y over games.
function variance(s) {
  if (s.n < 2 || !s.y) return NaN;
  const r = s.x / s.y;
  return Math.max(0, s.xx - 2 * r * s.xy + r * r * s.yy) * s.n / (s.n - 1) / (s.y * s.y);
}

function estimate(s, share, byWilson) {
  const value = s.x / s.y;
  const error = Math.sqrt(variance(s));
  if (byWilson || (share && !(error > 1e-9 * Math.max(value, 1e-9)))) return [value, ...wilson(Math.min(s.x, s.y), s.y)];
  if (!(error > 0)) return [value, null, null];
  return [value, Math.max(0, value - Z * error), share ? Math.min(1, value + Z * error) : value + Z * error];
}

// What a figure shows: a row for each number.
function rowsOf(question, filter) {
  if (question.name === "perfect") return perfectRows(question, filter);
  const rows = [];
  for (const s of sumsOf(question.tables[0], chosenCells(filter))) {
    if (question.labels.length && !question.labels.includes(s.label)) continue;
    if (question.panels.length && !question.panels.includes(s.panel)) continue;
    if (s.y > 0) rows.push(rowOf(question, s));
  }
  return rows;
}

function rowOf(question, s) {
  const [value, low, high] = estimate(s, question.share, question.wilson);
  const scaled = (v) => (v === null ? null : v * question.scale);
  return { panel: s.panel, label: s.label, value: scaled(value), low: scaled(low), high: scaled(high),
    x: s.x, y: s.y, n: s.n, tone: question.tones[s.label] || question.tones[""] || "plain" };
}

function perfectRows(question, filter) {
  const groups = new Map();
  for (const cell of chosenCells(filter)) {
    const [size, variant] = DATA.cells[cell];
    const [s] = sumsOf("perfect", [cell]);
    for (const [panel, label, order] of [["Team size", `${size} players`, size],
      ["Variant", DATA.variants[variant], 100 + variant]]) {
      const id = panel + label;
      if (!groups.has(id)) groups.set(id, { panel, label, order, x: 0, y: 0, n: 0 });
      const group = groups.get(id);
      group.x += s.x; group.y += s.y; group.n += s.n;
    }
  }
  return [...groups.values()].sort((a, b) => a.order - b.order).map((s) => rowOf(question, s));
}

// Players against the field, team size by team size and variant by variant.
function fieldRows(question, filter) {
  const rows = [];
  const strata = cellsOf(filter, -1);
  const at = new Map(DATA.cells.map(([size, variant, who], cell) => [`${size} ${variant} ${who}`, cell]));
  const numbers = question.tables.flatMap((name) => DATA.tables[name].keys.map(([, label], key) => [name, label, key]));
  for (const [name, title, key] of numbers) {
    const whole = new Map(strata.map((cell) => [cell, sumsOf(name, [cell])[key]]));
    DATA.players.forEach((label, player) => {
      let weight = 0, difference = 0, spread = 0, x = 0, n = 0;
      for (const cell of strata) {
        const [size, variant] = DATA.cells[cell];
        const own = at.get(`${size} ${variant} ${player}`);
        if (own === undefined) continue;
        const mine = sumsOf(name, [own])[key], all = whole.get(cell);
        const field = name === "points" ? less(all, mine) : all;
        if (!(mine.y > 0) || !(field.y > 0) || mine.n < 2 || field.n < 2) continue;
        difference += mine.y * (mine.x / mine.y - field.x / field.y);
        spread += mine.y * mine.y * (variance(mine) + variance(field));
        weight += mine.y; x += mine.x; n += mine.n;
      }
      if (!weight || n < 20) return;
      const value = difference / weight * question.scale;
      const half = Z * Math.sqrt(spread) / weight * question.scale;
      rows.push({ panel: question.panels.length ? title : "", label, player, value, low: value - half, high: value + half,
        x, y: weight, n, own: x / weight * question.scale, tone: "plain" });
    });
  }
  for (const row of rows) {
    const better = row.panel === "Cards per clue" ? 1 : question.better;
    const clear = row.low > 0 || row.high < 0;
    row.open = !clear;
    if (clear) row.tone = row.value * better > 0 ? "good" : "bad";
    row.dim = filter.player !== null && filter.player !== row.player;
  }
  const first = rows.filter((row) => row.panel === (question.panels[0] || ""));
  const order = new Map(first.sort((a, b) => (b.value - a.value) * question.better).map((row, i) => [row.label, i]));
  return rows.filter((row) => order.has(row.label)).sort((a, b) => order.get(a.label) - order.get(b.label));
}

const less = (a, b) => ({ x: a.x - b.x, xx: a.xx - b.xx, xy: a.xy - b.xy, n: a.n - b.n, y: a.y - b.y, yy: a.yy - b.yy });
const plus = (a, b) => ({ x: a.x + b.x, xx: a.xx + b.xx, xy: a.xy + b.xy, n: a.n + b.n, y: a.y + b.y, yy: a.yy + b.yy });

// Pairs of players: together against apart.
function pairRows(filter) {
  const at = new Map(DATA.cells.map(([size, variant, who], cell) => [`${size} ${variant} ${who}`, cell]));
  const pairs = new Map();
  DATA.pairs.forEach(([size, variant, a, b, n, x, xx]) => {
    if (filter.players !== null && size !== filter.players) return;
    if (filter.variant !== null && variant !== filter.variant) return;
    if (filter.player !== null && a !== filter.player && b !== filter.player) return;
    const id = `${a} ${b}`;
    if (!pairs.has(id)) pairs.set(id, { a, b, games: 0, weight: 0, sum: 0, spread: 0 });
    const pair = pairs.get(id);
    pair.games += n;
    const both = { n, x, xx, xy: x, y: n, yy: n };
    const one = (who) => sumsOf("points", [at.get(`${size} ${variant} ${who}`)])[0];
    const apart = plus(less(one(a), both), less(one(b), both));
    if (n < 2 || apart.n < 2) return;
    pair.weight += n;
    pair.sum += n * (x / n - apart.x / apart.y);
    pair.spread += n * n * (variance(both) + variance(apart));
  });
  const rows = [...pairs.values()].map((pair) => {
    const known = pair.games >= 25 && pair.weight > 0;
    return { ...pair, value: known ? pair.sum / pair.weight : null,
      error: known ? Math.sqrt(pair.spread) / pair.weight : null };
  });
  const judged = rows.filter((row) => row.value !== null);
  const z = normalAt(1 - 0.025 / Math.max(1, judged.length));
  for (const row of judged) row.clear = Math.abs(row.value) > z * row.error;
  return rows;
}

// Quantile of the normal distribution (Acklam's rational approximation, error below 2e-9 relative).
function normalAt(p) {
  const a = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239];
  const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572];
  const c = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783];
  const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
  const of = (list, x) => list.reduce((sum, v) => sum * x + v, 0);
  if (p > 0.97575) {
    const q = Math.sqrt(-2 * Math.log(1 - p));
    return -of(c, q) / (of(d, q) * q + 1);
  }
  const q = p - 0.5, r = q * q;
  return of(a, r) * q / (of(b, r) * r + 1);
}

// Median games turn by turn: for each kind of game and series the points of its curve.
function curveRows(filter) {
  const cells = new Set(chosenCells(filter));
  const counts = new Map();
  for (const [cell, short, series, turn, start, ...bins] of DATA.curve) {
    if (!cells.has(cell)) continue;
    const id = `${short} ${series} ${turn}`;
    if (!counts.has(id)) counts.set(id, { short, series, turn, bins: new Float64Array(DATA.bins) });
    const all = counts.get(id).bins;
    bins.forEach((games, i) => { all[start + i] += games; });
  }
  const rows = [];
  for (const { short, series, turn, bins } of counts.values()) {
    const n = bins.reduce((a, b) => a + b, 0);
    if (n < 20) continue;
    const half = Z / 2 / Math.sqrt(n);
    rows.push({ short, series, turn, n, median: quantile(bins, n, 0.5), p25: quantile(bins, n, 0.25),
      p75: quantile(bins, n, 0.75), low: quantile(bins, n, 0.5 - half), high: quantile(bins, n, 0.5 + half) });
  }
  return rows.sort((a, b) => a.short - b.short || a.series - b.series || a.turn - b.turn);
}

function quantile(bins, n, level) {
  const wanted = Math.min(Math.max(level, 0), 1) * n;
  let before = 0;
  for (let i = 0; i < bins.length; i++) {
    if (bins[i] && before + bins[i] >= wanted) return (i + (wanted - before) / bins[i]) * DATA.bin;
    before += bins[i];
  }
  return bins.length * DATA.bin;
}

// The kinds of games that have curves: the first and the last with enough games.
function curvePanels(filter) {
  const games = [0, 0, 0];
  for (const s of sumsOf("scores", chosenCells(filter))) {
    const band = s.label === "0" ? 0 : ["1", "2"].includes(s.label) ? 1 : 2;
    games[band] += s.x;
  }
  const rows = curveRows(filter);
  const names = ["Perfect games", "1 or 2 points short", "3 or more points short"];
  const panels = names.map((name, short) => ({ name, short, games: games[short] || 0,
    rows: rows.filter((row) => row.short === short && row.n >= 0.1 * games[short]) })).filter((panel) => panel.rows.length > 2);

  return panels.length > 2 ? [panels[0], panels[2]] : panels;
}

// The rows of a list for some cells.
function listRows(name, filter) {
  const cells = new Set(chosenCells(filter));
  return DATA.lists[name].filter((row) => row.cells.some((cell) => cells.has(cell))).slice(0, DATA.listed[name]);
}
