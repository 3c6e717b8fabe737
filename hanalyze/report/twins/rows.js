// From the sums of cells to the rows of a figure. Its twin is rows.py, which says what the rows are.
"use strict";

let DATA = null; // what the page is made of, once `unpack` is done
let cellAt = null;
const FEW = 20;
const FEW_TOGETHER = 25;

const total = (list) => list.reduce((sum, value) => sum + value, 0);
const byValue = (one, other) => other.value - one.value;

// Where the rows of each cell begin in columns sorted by cell.
function withStarts(columns) {
  columns.starts = new Map();
  columns[0].forEach((cell, row) => { if (!columns.starts.has(cell)) columns.starts.set(cell, row); });
}

// Reads the data of the page, which are compressed.
async function unpack() {
  const bytes = Uint8Array.from(atob(document.getElementById("data").textContent), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  DATA = await new Response(stream).json();
  for (const { found, of } of Object.values(DATA.sums)) [found, of].forEach(withStarts);
  for (const question of DATA.questions) {
    for (const [name, value] of Object.entries(DATA.defaults)) if (!(name in question)) question[name] = value;
  }
  cellAt = new Map(DATA.cells.map(([size, variant, who], cell) => [`${size} ${variant} ${who}`, cell]));
}

// Hands each row of some cells to a function, as its values after the cell.
function eachRow(columns, cells, use) {
  for (const cell of cells) {
    let row = columns.starts.get(cell);
    for (; row !== undefined && columns[0][row] === cell; row++) use(...columns.slice(1).map((column) => column[row]));
  }
}

// The cells that filters leave; a player is a number, null for the games whoever played them.
function chosenCells({ players, variant, player }) {
  const kept = [];
  DATA.cells.forEach(([size, kind, who], cell) => {
    const fits = (players === null || size === players) && (variant === null || kind === variant);
    if (fits && who === (player ?? -1)) kept.push(cell);
  });
  return kept;
}

const gamesOf = (cells) => total(cells.map((cell) => DATA.cells[cell][3]));

// The sums of a count over some cells, for each key.
function sumsOf(name, cells) {
  const { keys, found, of } = DATA.sums[name];
  const result = keys.map(([panel, label]) => ({ panel, label, n: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0 }));
  const denominators = new Map();
  eachRow(of, cells, (number, n, y, yy) => {
    const sums = denominators.get(number) ?? [0, 0, 0];
    denominators.set(number, [sums[0] + n, sums[1] + y, sums[2] + yy]);
  });
  eachRow(found, cells, (key, x, xx, xy) => {
    result[key].x += x;
    result[key].xx += xx;
    result[key].xy += xy;
  });
  keys.forEach(([, , number], key) => {
    const [n, y, yy] = denominators.get(number) ?? [0, 0, 0];
    Object.assign(result[key], { n, y, yy });
  });
  return result;
}

const rowOf = (values) => ({ panel: "", other: "", clear: false, dim: false, series: 0, p25: 0, p75: 0, ...values });

const ROWS = {
  rates(question, filters) {
    const rows = [];
    for (const sums of sumsOf(question.counts[0], chosenCells(filters))) {
      if (!(sums.y > 0) || (question.labels.length && !question.labels.includes(sums.label))) continue;
      const ends = estimate(sums, question.share, question.wilson);
      const [value, low, high] = ends.map((end) => (end === null ? null : end * question.scale));
      const { panel, label, x, y, n } = sums;
      rows.push(rowOf({ panel, label, value, low, high, x, y, n }));
    }
    return rows;
  },

  usage(question, filters) {
    const rows = ROWS.rates(question, filters);
    const [uses, worked] = question.panels;
    const used = rows.filter((row) => row.panel === uses && row.x >= question.least).sort(byValue);
    const place = new Map(used.map((row, i) => [row.label, i]));
    const settled = rows.filter((row) => row.panel === worked && place.has(row.label) && row.y >= question.least);
    settled.sort((one, other) => place.get(one.label) - place.get(other.label));
    return [...used, ...settled, ...rows.filter((row) => !question.panels.includes(row.panel))];
  },

  field(question, filters) {
    const rows = [];
    const strata = chosenCells({ ...filters, player: null });
    const counted = question.counts.flatMap((name) => DATA.sums[name].keys.map(([, title], key) => [name, title, key]));
    for (const [name, title, key] of counted) {
      const fields = new Map(strata.map((cell) => [cell, sumsOf(name, [cell])[key]]));
      DATA.players.forEach((label, player) => {
        let [weight, difference, spread, x, n] = [0, 0, 0, 0, 0];
        for (const cell of strata) {
          const [size, variant] = DATA.cells[cell];
          const ownCell = cellAt.get(`${size} ${variant} ${player}`);
          if (ownCell === undefined) continue;
          const own = sumsOf(name, [ownCell])[key];
          const field = name === "points" ? less(fields.get(cell), own) : fields.get(cell);
          if (!(own.y > 0) || !(field.y > 0) || own.n < 2 || field.n < 2) continue;
          difference += own.y * (own.x / own.y - field.x / field.y);
          spread += own.y * own.y * (variance(own) + variance(field));
          weight += own.y;
          x += own.x;
          n += own.n;
        }
        if (!weight || n < FEW) return;
        const value = (difference / weight) * question.scale;
        const half = ((Z * Math.sqrt(spread)) / weight) * question.scale;
        const panel = question.panels.length ? title : "";
        const ends = { low: value - half, high: value + half, clear: value - half > 0 || value + half < 0 };
        const dim = filters.player !== null && filters.player !== player;
        rows.push(rowOf({ panel, label, value, ...ends, x, y: weight, n, dim }));
      });
    }
    const first = rows.filter((row) => row.panel === (question.panels[0] ?? ""));
    first.sort((one, other) => byValue(one, other) * betterIn(question, one.panel));
    const order = new Map(first.map((row, i) => [row.label, i]));
    const kept = rows.filter((row) => order.has(row.label));
    return kept.sort((one, other) => order.get(one.label) - order.get(other.label));
  },

  pairs(question, filters) {
    const kept = new Set(chosenCells({ ...filters, player: null }).map((cell) => DATA.cells[cell].slice(0, 2).join()));
    const pairs = new Map();
    for (const [size, variant, a, b, n, x, xx] of DATA.pairs) {
      if (!kept.has(`${size},${variant}`)) continue;
      if (filters.player !== null && a !== filters.player && b !== filters.player) continue;
      const id = `${a} ${b}`;
      if (!pairs.has(id)) pairs.set(id, { a, b, games: 0, weight: 0, difference: 0, spread: 0 });
      const pair = pairs.get(id);
      pair.games += n;
      const both = { n, x, y: n, xx, xy: x, yy: n };
      const [one, other] = [a, b].map((who) => sumsOf("points", [cellAt.get(`${size} ${variant} ${who}`)])[0]);
      const apart = plus(less(one, both), less(other, both));
      if (n < 2 || apart.n < 2) continue;
      pair.weight += n;
      pair.difference += n * (x / n - apart.x / apart.y);
      pair.spread += n * n * (variance(both) + variance(apart));
    }
    const all = [...pairs.values()];
    const isJudged = (pair) => pair.games >= FEW_TOGETHER && pair.weight > 0;
    const judged = all.filter(isJudged);
    const players = [...new Set(judged.flatMap(({ a, b }) => [a, b]))].sort((one, other) => one - other);
    const rank = new Map(players.map((player, i) => [player, i]));
    const z = normalAt(1 - 0.025 / Math.max(1, judged.length));
    return all.filter(({ a, b }) => rank.has(a) && rank.has(b)).map((pair) => {
      const [label, other] = [pair.a, pair.b].map((player) => DATA.players[player]).sort(compared);
      const x = Math.max(rank.get(pair.a), rank.get(pair.b));
      const row = rowOf({ label, other, value: null, low: null, high: null, x, y: pair.games, n: pair.games });
      if (!isJudged(pair)) return row;
      const value = pair.difference / pair.weight;
      const error = Math.sqrt(pair.spread) / pair.weight;
      const clear = Math.abs(value) > z * error;
      return { ...row, value, low: value - Z * error, high: value + Z * error, clear };
    });
  },

  curve(question, filters) {
    const cells = new Set(chosenCells(filters));
    const counts = new Map();
    for (const [cell, short, series, turn, start, ...bins] of DATA.curve) {
      if (!cells.has(cell)) continue;
      const id = `${short} ${series} ${turn}`;
      if (!counts.has(id)) counts.set(id, { short, series, turn, bins: new Float64Array(DATA.bins) });
      bins.forEach((games, i) => { counts.get(id).bins[start + i] += games; });
    }
    const kinds = question.panels.map(() => 0);
    for (const sums of sumsOf("scores", [...cells])) kinds[{ 0: 0, 1: 1, 2: 1 }[sums.label] ?? 2] += sums.x;
    const found = question.panels.map(() => []);
    for (const { short, series, turn, bins } of counts.values()) {
      const n = total(bins);
      if (n < FEW || n < 0.1 * kinds[short]) continue;
      const half = Z / 2 / Math.sqrt(n);
      const levels = [0.5, 0.5 - half, 0.5 + half, 0.25, 0.75];
      const [value, low, high, p25, p75] = levels.map((level) => quantile(bins, n, level, DATA.bin));
      const place = { panel: question.panels[short], label: String(turn), series, x: turn, y: n, n };
      found[short].push(rowOf({ ...place, value, low, high, p25, p75 }));
    }
    for (const rows of found) rows.sort((one, other) => one.series - other.series || one.x - other.x);
    const kept = found.filter((rows) => rows.length > 2);
    return (kept.length > 2 ? [kept[0], kept[2]] : kept).flat();
  },

  worth() {
    return DATA.worth.map(([label, value, low, high, x, y, n, clear]) => rowOf({ label, value, low, high, x, y, n, clear }));
  },
};

const compared = (one, other) => (one < other ? -1 : Number(one > other));
const betterIn = (question, panel) => question.better[panel] ?? question.better[""] ?? 1;

// From which turn to which the need is clearly above what was achieved: the longest stretch of two points or more.
function crossing(rows) {
  const needed = new Map(rows.filter((row) => row.series === 1).map((row) => [row.x, row]));
  const both = rows.filter((row) => row.series === 0 && needed.has(row.x));
  let [longest, run] = [[], []];
  for (const row of both) {
    run = needed.get(row.x).low > row.high ? [...run, row.x] : [];
    if (run.length > longest.length) longest = run;
  }
  if (longest.length < 2) return null;
  return [longest[0], longest.at(-1) === both.at(-1).x ? null : longest.at(-1)];
}
