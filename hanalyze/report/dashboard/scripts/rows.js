// Computes the rows of a figure from the sums of cells. `rowOf` defines the rows.
"use strict";

let DATA = null; // the data of the page, once `unpack` is done
let cellAt = null;
const FEW = 20;
const FEW_TOGETHER = 25;
const TREND = "Trend";

const total = (list) => list.reduce((sum, value) => sum + value, 0);
const byValue = (one, other) => other.value - one.value;

// Stores the first row of each cell as `starts`; the columns are sorted by cell.
function withStarts(columns) {
  columns.starts = new Map();
  columns[0].forEach((cell, row) => { if (!columns.starts.has(cell)) columns.starts.set(cell, row); });
}

// Reads the compressed data of the page.
async function unpack() {
  DATA = JSON.parse(new TextDecoder().decode(await inflated($("data").textContent)));
  for (const { found, of } of Object.values(DATA.sums)) [found, of].forEach(withStarts);
  for (const question of DATA.questions) {
    for (const [name, value] of Object.entries(DATA.defaults)) if (!(name in question)) question[name] = value;
  }
  cellAt = new Map(DATA.cells.map(([size, variant, who], cell) => [`${size} ${variant} ${who}`, cell]));
}

// Calls a function with the values of each row of some cells.
function eachRow(columns, cells, use) {
  for (const cell of cells) {
    let row = columns.starts.get(cell);
    for (; row !== undefined && columns[0][row] === cell; row++) use(...columns.slice(1).map((column) => column[row]));
  }
}

// The cells that match filters; a player is a number, null for all games.
function chosenCells({ players, variant, player }) {
  const kept = [];
  DATA.cells.forEach(([size, kind, who], cell) => {
    const fits = (players === null || size === players) && (variant === null || kind === variant);
    if (fits && who === (player ?? -1)) kept.push(cell);
  });
  return kept;
}

const gamesOf = (cells) => total(cells.map((cell) => DATA.cells[cell][3]));

// The sums of a tally over some cells, for each key.
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

// A row of a figure. `value` is scaled; `low` and `high` are null without an interval. For pairs, `other` is the second
// player, and `x` the higher index of the two players (the most frequent player has index 0). `clear` tells whether
// the difference is significant among all comparisons of the page, and `dim` whether another player is chosen. For
// curves, `x` is the turn, `series` is 0 for achieved and 1 for needed, and `p25` and `p75` are quartiles over games.
// For differences, `error` is the standard error, `freedom` its degrees of freedom (0: normal), and `shrunk` the value
// after shrinkage.
const rowOf = (values) => ({ panel: "", other: "", low: null, high: null, clear: false, dim: false, series: 0, p25: 0,
  p75: 0, error: 0, freedom: 0, shrunk: null, ...values });

// The trends within games for the sentence of a question; they are not drawn.
function trendsOf(question, cells) {
  const rows = [];
  for (const sums of question.counts.slice(1).flatMap((name) => sumsOf(name, cells))) {
    const { n, x, y } = sums;
    const spread = variance(sums);
    if (!(y > 0) || n < FEW || !(spread > 0)) continue;
    const [value, error] = [(question.scale * x) / y, question.scale * Math.sqrt(spread)];
    rows.push(rowOf({ panel: TREND, label: "", value, x, y, n, error, freedom: n - 1 }));
  }
  return rows;
}

// The difference of two ratios in a stratum; null if a ratio has fewer than two games. The sums of the others may
// include the player's own decisions, with `part` opportunities. Let s be their share of the opportunities. The
// difference from the other decisions alone is then the difference from all of them, divided by 1 - s. The error is
// also divided by 1 - s. This overestimates it, because the player's own variation counts on both sides: the sums do
// not contain the products of own and other decisions. As in
// `hanalyze.analysis.statistics.ratios.against_other_groups`, the variance of a ratio is at least the pooled variance
// of one opportunity divided by the ratio's opportunities, because a few games may lack the rare strikeouts by chance.
function gapOf(own, others, part = 0) {
  if (!(own.y > 0) || !(others.y > part) || own.n < 2 || others.n < 2) return null;
  const rest = 1 - part / others.y;
  const both = [own, others];
  const single = total(both.map((one) => (variance(one) * one.y ** 2 * (one.n - 1)) / one.n)) / (own.y + others.y);
  return { weight: own.y, difference: (own.x / own.y - others.x / others.y) / rest,
    parts: both.map((one) => [Math.max(variance(one), single / one.y) / rest ** 2, one.n - 1]) };
}

// A player's sums in a stratum and their difference, if there is one.
function ownGap(name, key, player, cell, whole) {
  const [size, variant] = DATA.cells[cell];
  const ownCell = cellAt.get(`${size} ${variant} ${player}`);
  if (ownCell === undefined) return {};
  const own = sumsOf(name, [ownCell])[key];
  return { own, gap: name === "points" ? gapOf(own, less(whole, own)) : gapOf(own, whole, own.y) };
}

// The weighted mean of differences, its standard error, and its degrees of freedom (Satterthwaite 1946).
function together(gaps) {
  const weight = total(gaps.map((gap) => gap.weight));
  const parts = gaps.flatMap((gap) => gap.parts.map(([spread, games]) => [(gap.weight / weight) ** 2 * spread, games]));
  const spread = total(parts.map(([one]) => one));
  const square = total(parts.map(([one, games]) => (one * one) / games));
  const value = total(gaps.map((gap) => gap.weight * gap.difference)) / weight;
  return { value, error: Math.sqrt(spread), freedom: square ? (spread * spread) / square : 0 };
}

// Differences of players with shrunken values, as by `hanalyze.analysis.statistics.multiplicity.empirical_bayes`.
function shrunk(rows) {
  const known = rows.filter((row) => row.error > 0);
  if (known.length < 3) return rows;
  const weights = known.map((row) => 1 / row.error ** 2);
  const sum = total(weights);
  const mean = total(known.map((row, i) => weights[i] * row.value)) / sum;
  const excess = total(known.map((row, i) => weights[i] * (row.value - mean) ** 2)) - (known.length - 1);
  const between = Math.max(0, excess / (sum - total(weights.map((one) => one * one)) / sum));
  return rows.map((row) => {
    const share = row.error > 0 ? between / (between + row.error ** 2) : 1;
    return { ...row, shrunk: mean + share * (row.value - mean) };
  });
}

const ROWS = {
  rates(question, filters) {
    const rows = [];
    for (const sums of sumsOf(question.counts[0], chosenCells(filters))) {
      if (!(sums.y > 0) || (question.labels.length && !question.labels.includes(sums.label))) continue;
      const ends = estimate(sums, isShare(question, sums.panel));
      const [value, low, high] = ends.map((end) => (end === null ? null : end * question.scale));
      const { panel, label, x, y, n } = sums;
      rows.push(rowOf({ panel, label, value, low, high, x, y, n }));
    }
    return [...rows, ...trendsOf(question, chosenCells(filters))];
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
      const mine = [];
      DATA.players.forEach((label, player) => {
        let [x, n] = [0, 0];
        const gaps = [];
        for (const cell of strata) {
          const { own, gap } = ownGap(name, key, player, cell, fields.get(cell));
          if (!gap) continue;
          gaps.push(gap);
          x += own.x;
          n += own.n;
        }
        if (!gaps.length || n < FEW) return;
        const { value, error, freedom } = together(gaps);
        const dim = filters.player !== null && filters.player !== player;
        mine.push(rowOf({ panel: question.panels.length ? title : "", label, value: value * question.scale, x,
          y: total(gaps.map((gap) => gap.weight)), n, dim, error: error * question.scale, freedom }));
      });
      rows.push(...shrunk(mine));
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
      if (!pairs.has(id)) pairs.set(id, { a, b, games: 0, gaps: [] });
      const pair = pairs.get(id);
      pair.games += n;
      const both = { n, x, y: n, xx, xy: x, yy: n };
      const [one, other] = [a, b].map((who) => sumsOf("points", [cellAt.get(`${size} ${variant} ${who}`)])[0]);
      const gap = gapOf(both, plus(less(one, both), less(other, both)));
      if (gap) pair.gaps.push(gap);
    }
    const all = [...pairs.values()];
    const isJudged = (pair) => pair.games >= FEW_TOGETHER && pair.gaps.length > 0;
    const players = [...new Set(all.filter(isJudged).flatMap(({ a, b }) => [a, b]))].sort((one, other) => one - other);
    const rank = new Map(players.map((player, i) => [player, i]));
    return all.filter(({ a, b }) => rank.has(a) && rank.has(b)).map((pair) => {
      const [label, other] = [pair.a, pair.b].map((player) => DATA.players[player]).sort(compared);
      const x = Math.max(rank.get(pair.a), rank.get(pair.b));
      const known = isJudged(pair) ? together(pair.gaps) : { value: null };
      return rowOf({ label, other, x, y: pair.games, n: pair.games, ...known });
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
    for (const sums of sumsOf("scores", [...cells])) kinds[shortOf(sums.label)] += sums.x;
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
    const names = ["label", "value", "low", "high", "x", "y", "n", "clear"];
    return DATA.worth.map((line) => rowOf(Object.fromEntries(names.map((name, place) => [name, line[place]]))));
  },
};

// The kind of game by its label in the tally "scores": perfect, one or two points short, or more.
const shortOf = (label) => ({ 0: 0, 1: 1, 2: 1 })[label] ?? 2;
const compared = (one, other) => (one < other ? -1 : Number(one > other));
const isShare = (question, panel) => question.share && !question.means.includes(panel);
const betterIn = (question, panel) => question.better[panel] ?? question.better[""] ?? 1;

// By how many standard errors a row is above another row, or 0. The errors of both rows are added; at 1.96 their 95%
// intervals touch. Without an interval of the other row its error counts as 0; without one of the row the result is 0.
function isAboveBy(row, other) {
  if (row.low === null || row.value === null || other.value === null || row.value <= other.value) return 0;
  const room = row.value - row.low + (other.high === null ? 0 : other.high - other.value);
  return room > 0 ? (Z * (row.value - other.value)) / room : 0;
}

// The longest stretch of at least two points where needed is above achieved at this level: its first and last turn
// (null if it lasts to the last point); null without such a stretch.
function crossing(rows, level) {
  const needed = new Map(rows.filter((row) => row.series === 1).map((row) => [row.x, row]));
  const both = rows.filter((row) => row.series === 0 && needed.has(row.x));
  let [longest, run] = [[], []];
  for (const row of both) {
    run = isAboveBy(needed.get(row.x), row) >= level ? [...run, row.x] : [];
    if (run.length > longest.length) longest = run;
  }
  if (longest.length < 2) return null;
  return [longest[0], longest.at(-1) === both.at(-1).x ? null : longest.at(-1)];
}

// The rows of every figure of the page, with its question.
const askedOf = (filters) => DATA.questions.filter((question) => question.rows !== "list")
  .map((question) => [question, ROWS[question.rows](question, filters)]);
