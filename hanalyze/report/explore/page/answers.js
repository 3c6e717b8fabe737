// Answers questions: assigns rows of the tables to groups, and computes rates, intervals and differences of groups.
"use strict";

let DATA = null; // the header, once `unpack` is done
const columns = new Map(); // typed arrays by "table.column"
const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, i1: Int8Array, i2: Int16Array, i4: Int32Array,
  f4: Float32Array, f8: Float64Array };
const MOST_GROUPS = 400_000;
const ERROR = 0.05;

// Reads the compressed data of the page: the length of the header, the header as JSON, the columns.
async function unpack(text) {
  const buffer = await inflated(text);
  const size = new DataView(buffer).getUint32(0, true);
  DATA = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
  const start = 8 * Math.ceil((4 + size) / 8);
  for (const [name, { type, at, length, delta }] of Object.entries(DATA.columns)) {
    const stored = new TYPES[type](buffer, start + at, length);
    columns.set(name, delta ? summed(stored) : stored);
  }
}

function summed(steps) {
  const sums = new Uint32Array(steps.length);
  let sum = 0;
  for (let i = 0; i < steps.length; i++) sums[i] = sum += steps[i];
  return sums;
}

// --- groups that a row belongs to: a key of each row, and the values of each key --------------------------------

const metricOf = ({ metric }) => DATA.metrics.find(({ name }) => name === metric);
// Whether a dimension is that of the parts of a metric: the kind of mistake, or the convention.
const isLabel = (name, metric) => metric.kinds?.dimension === name;
const describe = (name, metric) => (
  isLabel(name, metric) ? { ...DATA.dimensions[name], ...metric.kinds } : DATA.dimensions[name]);
const valuesOf = (name, metric) => describe(name, metric).values;
const isPeople = (name) => name === "player" || name === "partner";
const without = (filters, name) => Object.fromEntries(Object.entries(filters).filter(([one]) => one !== name));

function dimensionsOf(metric) {
  const names = DATA.tables[metric.table].dimensions;
  return metric.kinds ? [...names, metric.kinds.dimension] : names;
}

function partyStarts() {
  const starts = [0];
  for (const party of DATA.parties) starts.push(starts.at(-1) + party.length);
  return starts;
}

// The keys of the rows of a table: a column of the table or of its games, or the place: one seat of one party.
function keysOf(table, key) {
  const id = `${table}.${key}`;
  if (columns.has(id)) return columns.get(id);
  const games = columns.get(`${table}.game`);
  let keys;
  if (key === "place") {
    const [parties, seats, starts] = [keysOf(table, "party"), columns.get(`${table}.seat`), partyStarts()];
    keys = new Uint32Array(games.length);
    for (let row = 0; row < keys.length; row++) keys[row] = starts[parties[row]] + seats[row];
  } else {
    const ofGames = columns.get(`games.${key}`);
    keys = new ofGames.constructor(games.length);
    for (let row = 0; row < keys.length; row++) keys[row] = ofGames[games[row]];
  }
  columns.set(id, keys);
  return keys;
}

const seatLists = (use) => DATA.parties.flatMap((party) => party.map((_, seat) => [...new Set(use(party, seat))]));
const seatAt = (party, seat) => [party.at(seat % party.length)];

// The key of a dimension, and the values that belong to each key; other dimensions are keys themselves.
const DERIVED = {
  team: ["party", () => DATA.teams.map((team) => [team])],
  players: ["party", () => DATA.parties.map(({ length }) => [DATA.dimensions.players.keys.indexOf(String(length))])],
  family: ["variant", () => DATA.families.map((family) => [family])],
  year: ["month", () => DATA.years.map((year) => [year])],
  player: ["place", () => seatLists(seatAt)],
  before: ["place", () => seatLists((party, seat) => seatAt(party, seat - 1))],
  after: ["place", () => seatLists((party, seat) => seatAt(party, seat + 1))],
  partner: ["place", () => seatLists((party, seat) => party.filter((_, other) => other !== seat))],
};

// The groups of a party by player, by partner or by both, as numbers, for the players and partners that filters select.
function peopleOf(party, by, where) {
  const isChosen = (name, value) => !where[name] || where[name].includes(value);
  const numbers = new Set();
  const add = (pair) => numbers.add(
    by.reduce((sum, name) => sum * DATA.dimensions[name].values.length + pair[name], 0));
  party.forEach((player, seat) => {
    if (!isChosen("player", player)) return;
    if (!by.includes("partner")) add({ player });
    else {
      party.forEach((partner, other) => {
        if (other !== seat && isChosen("partner", partner)) add({ player, partner });
      });
    }
  });
  return [...numbers];
}

// The keys of the rows for a dimension, or for players and partners of games, and the groups of each key.
function keyed(table, by, where) {
  if (table === "games" && by.every(isPeople)) {
    return { keys: keysOf(table, "party"), lists: DATA.parties.map((party) => peopleOf(party, by, where)) };
  }
  const [name] = by;
  const [key, lists] = DERIVED[name] ?? [name, () => DATA.dimensions[name].values.map((_, value) => [value])];
  const kept = new Set(where[name]);
  const some = where[name] ? lists().map((list) => list.filter((value) => kept.has(value))) : lists();
  return { keys: keysOf(table, key), lists: some };
}

// The groups of each row, as layers: each has one group per row, or −1. A row of several groups is in several layers.
function groupsOf({ by, where }, side) {
  const metric = metricOf(side);
  const { table } = metric;
  const everything = { keys: new Uint8Array(DATA.tables[table].rows), lists: [[0]] };
  const arePeople = table === "games" && by.length === 2 && by.every(isPeople);
  const [first = everything, second = everything] = arePeople ? [keyed(table, by, where)] : by.map((name, place) => {
    if (isLabel(name, metric)) return everything;
    const scale = by.slice(place + 1).reduce((product, other) => product * valuesOf(other, metric).length, 1);
    const { keys, lists } = keyed(table, [name], where);
    return { keys, lists: lists.map((list) => list.map((value) => value * scale)) };
  });
  const left = rowsLeft(metric, side.where);
  if (side.except) rowsLeft(metric, side.except).forEach((isMatched, row) => { if (isMatched) left[row] = 0; });
  const longest = ({ lists }) => lists.reduce((most, { length }) => Math.max(most, length), 0);
  const layers = Array.from({ length: longest(first) * longest(second) }, () => new Int32Array(left.length).fill(-1));
  if (layers.length === 1) {
    const [ones, others] = [first, second].map(({ lists }) => Int32Array.from(lists, ([group = -1]) => group));
    for (let row = 0; row < left.length; row++) {
      const one = ones[first.keys[row]], other = others[second.keys[row]];
      if (left[row] && one >= 0 && other >= 0) layers[0][row] = one + other;
    }
    return layers;
  }
  for (let row = 0; row < left.length; row++) {
    if (!left[row]) continue;
    const ones = first.lists[first.keys[row]], others = second.lists[second.keys[row]];
    for (let i = 0; i < ones.length; i++) {
      for (let j = 0; j < others.length; j++) layers[i * others.length + j][row] = ones[i] + others[j];
    }
  }
  return layers;
}

// For each row of a table, 1 if filters select it, else 0.
function rowsLeft(metric, where) {
  const left = new Uint8Array(DATA.tables[metric.table].rows).fill(1);
  for (const name of Object.keys(where).filter((one) => !isLabel(one, metric))) {
    const { keys, lists } = keyed(metric.table, [name], { [name]: where[name] });
    const isLeft = Uint8Array.from(lists, ({ length }) => Number(length > 0));
    for (let row = 0; row < left.length; row++) left[row] &= isLeft[keys[row]];
  }
  return left;
}

// The filters that the others in "compared with others" do not match: the player, or without one, all filters.
const contrastOf = ({ where }, metric) => ("player" in where ? { player: where.player }
  : Object.fromEntries(Object.entries(where).filter(([name]) => !isLabel(name, metric))));

// The filters of the sides of a comparison; a side leaves out the rows that match `except`.
function sidesOf(question) {
  const { metric, where, versus } = question;
  if (versus === null) return [{ metric, where }];
  if (versus !== "others") return [{ metric, where }, { metric, where: versus }];
  const except = contrastOf(question, metricOf(question));
  return [{ metric, where }, { metric, where: "player" in where ? without(where, "player") : {}, except }];
}

// The columns x and y to sum up, with the number that their part of the metric adds to the number of the group.
function countedOf(metric, { by, where }) {
  const pair = ([x, y], number) => [x, y].map((name) => columns.get(`${metric.table}.${name}`)).concat(number);
  const label = metric.kinds?.dimension;
  const place = by.indexOf(label);
  if (place < 0) return [pair(where[label] ? metric.kinds.columns[where[label][0]] : [metric.x, metric.y], 0)];
  const scale = place === 0 && by.length === 2 ? valuesOf(by[1], metric).length : 1;
  return metric.kinds.columns.map((names, kind) => pair(names, kind * scale))
    .filter((_, kind) => !where[label] || where[label].includes(kind));
}

// --- sums over clusters ------------------------------------------------------------------------------------------

// The fields of a group: those of one side, those of the other, sums of products of both, and the last cluster.
const [N, GAMES, X, Y, XX, XY, YY, X_HERE, Y_HERE, GAME, WIDTH] = Array(11).keys();
const BOTH = 2 * WIDTH;
const [CLUSTER, FIELDS] = [BOTH + 4, BOTH + 5];

// The sums of each group; null for too many groups. Rows are sorted by cluster, so a group has separate sums for its
// last cluster only.
function sumsOf(question, counted = countedOf(metricOf(question), question)) {
  const metric = metricOf(question);
  const { table } = metric;
  const groups = question.by.reduce((product, name) => product * valuesOf(name, metric).length, 1);
  if (groups > MOST_GROUPS) return null;
  const sums = new Float64Array(groups * FIELDS);
  const sides = sidesOf(question).map((side) => groupsOf(question, side));
  const flushSide = (at) => {
    const x = sums[at + X_HERE], y = sums[at + Y_HERE];
    if (y > 0) sums[at + N]++;
    sums[at + X] += x;
    sums[at + Y] += y;
    sums[at + XX] += x * x;
    sums[at + XY] += x * y;
    sums[at + YY] += y * y;
    sums[at + X_HERE] = sums[at + Y_HERE] = 0;
  };
  const flush = (at) => {
    if (sides.length > 1) {
      const x = sums[at + X_HERE], y = sums[at + Y_HERE];
      const otherX = sums[at + WIDTH + X_HERE], otherY = sums[at + WIDTH + Y_HERE];
      sums[at + BOTH] += x * otherX;
      sums[at + BOTH + 1] += x * otherY;
      sums[at + BOTH + 2] += y * otherX;
      sums[at + BOTH + 3] += y * otherY;
      flushSide(at + WIDTH);
    }
    flushSide(at);
  };
  const clusters = keysOf(table, "cluster"), weights = columns.get("games.games");
  const games = table === "games" || DATA.exact ? null : columns.get(`${table}.game`);
  for (const [xs, ys, number] of counted) {
    // Each part of a metric has its own groups, so these start without a cluster when the rows are read again.
    for (let row = 0; row < ys.length; row++) {
      const x = xs[row], y = ys[row];
      if (x === 0 && y === 0) continue;
      const cluster = clusters[row] + 1; // 0: none yet
      for (let side = 0; side < sides.length; side++) {
        const layers = sides[side];
        for (let layer = 0; layer < layers.length; layer++) {
          const group = layers[layer][row];
          if (group < 0) break;
          const start = (number + group) * FIELDS, at = start + side * WIDTH;
          if (sums[start + CLUSTER] !== cluster) {
            flush(start);
            sums[start + CLUSTER] = cluster;
          }
          sums[at + X_HERE] += x;
          sums[at + Y_HERE] += y;
          if (DATA.exact || !(y > 0)) continue;
          const game = games ? games[row] : row;
          if (sums[at + GAME] === game + 1) continue;
          sums[at + GAME] = game + 1;
          sums[at + GAMES] += weights[game];
        }
      }
    }
  }
  for (let at = 0; at < sums.length; at += FIELDS) if (sums[at + CLUSTER]) flush(at);
  return sums;
}

// --- rates and differences -----------------------------------------------------------------------------------------

function sideOf(sums, at) {
  const [n, counted, x, y, xx, xy, yy] = sums.subarray(at, at + X_HERE);
  return { n, games: DATA.exact ? n : counted, x, y, xx, xy, yy };
}

// For a metric with a largest value in each game: sums of the distances below it, and of the largest values; else [].
function belowOf(question) {
  const { table, x, y, full } = metricOf(question);
  if (!full) return [];
  const [xs, ys, fulls] = [x, y, full].map((name) => columns.get(`${table}.${name}`));
  const short = Float64Array.from(fulls, (value, row) => value - xs[row]);
  return [short, fulls].map((values) => sumsOf(question, [[values, ys, 0]]));
}

// The interval of a mean of values that have a largest one in each game.
function meanBelow(sums, short, full) {
  const ends = meanOfSums(short);
  if (!ends) return null;
  const [own, ofShort, ofFull] = [sums, short, full].map(variance);
  const spread = Math.sqrt(ofShort * ofFull);
  const correlation = spread ? (ofShort + ofFull - own) / (2 * spread) : 0;
  const half = student(Math.round(sums.n) - 1) * Math.sqrt(ofFull);
  const joined = (other) => Math.sqrt(Math.max(half * half + other * other - 2 * correlation * half * other, 0));
  const [rate, mean] = [sums, short].map(({ x, y }) => x / y);
  return [rate - joined(ends[1] - mean), rate + joined(mean - ends[0])];
}

// A rate with its interval; each is null if there are too few games or opportunities for it.
function rateOf(metric, sums, at, below) {
  const side = { ...sideOf(sums, at), value: null, low: null, high: null };
  const { games, x, y } = side;
  if (!(y > 0) || y < metric.minimum) return side;
  const found = below.length ? [x / y, ...meanBelow(side, ...below.map((one) => sideOf(one, at))) ?? [null, null]]
    : estimate(side, metric.share);
  const ends = found.map((end) => (end === null ? null : end * metric.scale));
  const isKnown = metric.share || games >= metric.fewest;
  return { ...side, value: ends[0], low: isKnown ? ends[1] : null, high: isKnown ? ends[2] : null };
}

// Student's quantile for an error in both tails, by a normal quantile with the same tail.
function studentFor(error, freedom) {
  if (error === ERROR) return student(freedom);
  return studentOf(normalAt(1 - error / 2), freedom);
}

// The difference of two rates, with an interval adjusted for the number of comparisons; null without an interval. The
// rates may have clusters in common.
function differenceOf(metric, one, other, products, comparisons) {
  const n = Math.min(one.n, other.n);
  if (one.low === null || other.low === null || n < 2) return null;
  const [a, b] = [one.x / one.y, other.x / other.y];
  const pooled = (one.x + other.x) / (one.y + other.y);
  const single = metric.share ? pooled * (1 - pooled) : 0;
  const square = (side) => Math.max(variance(side), single / side.y);
  const [xx, xy, yx, yy] = products;
  const common = ((n / (n - 1)) * (xx - b * xy - a * yx + a * b * yy)) / (one.y * other.y);
  const error = Math.sqrt(Math.max(square(one) + square(other) - 2 * common, 0));
  if (!(error > 0)) return null;
  const half = studentFor(ERROR / comparisons, n - 1) * error;
  const [value, low, high] = [a - b, a - b - half, a - b + half].map((end) => end * metric.scale);
  return { value, low, high, isClear: low > 0 || high < 0 };
}

// The rows of the answer, in the order of their groups; null if there would be too many groups.
function answer(question) {
  const sums = sumsOf(question);
  if (!sums) return null;
  const [metric, below] = [metricOf(question), belowOf(question)];
  const names = question.by.map((name) => valuesOf(name, metric));
  const rows = [];
  for (let at = 0; at < sums.length; at += FIELDS) {
    if (!(sums[at + Y] > 0 || sums[at + WIDTH + Y] > 0)) continue;
    const group = at / FIELDS;
    const width = names[1]?.length;
    const values = width ? [Math.floor(group / width), group % width] : names.map(() => group);
    const row = { group, values, labels: values.map((value, place) => names[place][value]),
      ...rateOf(metric, sums, at, below), other: null, difference: null };
    if (question.versus !== null) row.other = rateOf(metric, sums, at + WIDTH, below);
    rows.push(row);
  }
  const pairs = rows.filter(({ low, other }) => low !== null && other && other.low !== null);
  for (const row of pairs) {
    const products = sums.subarray(row.group * FIELDS + BOTH, row.group * FIELDS + CLUSTER);
    row.difference = differenceOf(metric, row, row.other, products, pairs.length);
  }
  return rows;
}

// Whether a row is clearly above another, if all pairs of `count` rows are tested together. The sum of two standard
// errors is at least the standard error of the difference, so this is valid for rows with games in common, too.
function isAbove(row, other, count) {
  const error = (row.value - row.low + other.high - other.value) / Z;
  return row.value - other.value > error * normalAt(1 - ERROR / Math.max(count * (count - 1), 2));
}

// The games behind a group: the row of each game, with its counts, the highest first.
function behind(question, group) {
  const metric = metricOf(question);
  const games = metric.table === "games" ? null : columns.get(`${metric.table}.game`);
  const layers = groupsOf(question, question);
  const found = new Map();
  for (const [xs, ys, number] of countedOf(metric, question)) {
    for (let row = 0; row < ys.length; row++) {
      if ((xs[row] === 0 && ys[row] === 0) || !layers.some((layer) => layer[row] === group - number)) continue;
      const game = games ? games[row] : row;
      const one = found.get(game) ?? { game, x: 0, y: 0 };
      one.x += xs[row];
      one.y += ys[row];
      found.set(game, one);
    }
  }
  return [...found.values()].filter(({ y }) => y > 0).sort((one, other) => other.x - one.x || other.y - one.y);
}
