// Figures about conventions, of games that were read for them. The same formulas as in
// hanalyze/report/convention_rows.py.
"use strict";

const USES = "Uses per 100 actions", UNEXPLAINED = "Unexplained";

if (DATA.worth) {
  for (const part of Object.values(DATA.worth.sums)) {
    part.starts = new Map();
    part[0].forEach((cell, row) => { if (!part.starts.has(cell)) part.starts.set(cell, row); });
  }
}

// The most used first, what is used too little left out; at the end what no convention explains.
function usageRows(question, filter) {
  const rows = rowsOf({ ...question, panels: [] }, filter);
  const used = rows.filter((row) => row.panel === USES && row.x >= question.least).sort((a, b) => b.value - a.value);
  const place = new Map(used.map((row, i) => [row.label, i]));
  const worked = rows.filter((row) => row.panel !== USES && row.panel !== UNEXPLAINED && place.has(row.label) && row.y >= question.least)
    .sort((a, b) => place.get(a.label) - place.get(b.label));
  return [...used, ...worked, ...rows.filter((row) => row.panel === UNEXPLAINED)];
}

// How many cards more the clues of each convention brought in than others where as much was needed.
function worthRows(question, filter) {
  const { labels, bands, sums } = DATA.worth;
  const zeros = () => new Float64Array(bands);
  const keys = labels.map(() => ({ uses: zeros(), worth: zeros(), both: zeros(), pairs: Array.from({ length: bands }, zeros), games: 0, squares: 0 }));
  const each = (part, add) => {
    for (const cell of chosenCells(filter)) {
      let row = part.starts.get(cell);
      if (row === undefined) continue;
      for (; part[0][row] === cell; row++) add(keys[part[1][row]], row, part);
    }
  };
  each(sums.bands, (key, row, [, , band, uses, worth, both]) => {
    key.uses[band[row]] += uses[row]; key.worth[band[row]] += worth[row]; key.both[band[row]] += both[row];
  });
  each(sums.pairs, (key, row, [, , a, b, products]) => {
    key.pairs[a[row]][b[row]] += products[row];
    if (a[row] !== b[row]) key.pairs[b[row]][a[row]] += products[row];
  });
  each(sums.games, (key, row, [, , games, squares]) => { key.games += games[row]; key.squares += squares[row]; });
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  const whole = (name) => zeros().map((_, band) => sum(keys.map((key) => key[name][band])));
  const allUses = whole("uses"), allWorth = whole("worth");
  const rows = [];
  keys.forEach((key, number) => {
    const mine = sum(key.uses);
    const others = allUses.map((all, band) => all - key.uses[band]), gotten = allWorth.map((all, band) => all - key.worth[band]);
    if (mine < Math.max(question.least, 1) || !sum(others)) return;
    const every = sum(gotten) / sum(others);
    const mean = others.map((of, band) => (of > 0 ? gotten[band] / of : every));
    const worth = sum(key.worth);
    const more = (worth - sum(mean.map((one, band) => one * key.uses[band]))) / mine;
    const expected = mean.map((one) => one + more);
    let spread = key.squares;
    expected.forEach((one, a) => {
      spread -= 2 * one * key.both[a];
      expected.forEach((other, b) => { spread += one * other * key.pairs[a][b]; });
    });
    const known = key.games > 1 && spread > 1e-9 * Math.max(key.squares, 1);
    const half = known ? Z * Math.sqrt(spread * key.games / (key.games - 1)) / mine : null;
    const low = known ? more - half : null, high = known ? more + half : null;
    rows.push({ panel: "", label: labels[number], value: more, low, high, x: worth, y: mine, n: key.games, uses: mine,
      open: !known || (low <= 0 && high >= 0), tone: known && low > 0 ? "good" : known && high < 0 ? "warn" : "plain" });
  });
  return rows.sort((a, b) => b.value - a.value);
}

// What is said of them; the words are those of questions/conventions.py.
const SAY_CONVENTIONS = {
  usage(question, rows) {
    const say = question.say, said = (row) => ({ label: row.label, value: shown(row.value, question.decimals), low: shown(row.low, question.decimals), high: shown(row.high, question.decimals) });
    const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
    const [first, ...others] = rows.filter((row) => row.panel === USES);
    let most = fill(say.none, { least: question.least });
    if (first) {
      const clear = first.low !== null && others.every((row) => first.low > (row.high ?? row.value));
      const [second] = others.length ? others : [first];
      most = fill(clear ? say.text : say.tie, { ...said(first), label2: second.label, value2: shown(second.value, question.decimals) });
    }
    const rest = rows.filter((row) => row.panel === UNEXPLAINED).map((row) => fill(say.rest, said(row)));
    return [[most, ...rest].join(" "), {}];
  },
  worth(question, rows) {
    if (!rows.length) return [question.say.none, { least: question.least }];
    return [question.say.text, { above: rows.filter((row) => row.tone === "good").length, below: rows.filter((row) => row.tone === "warn").length, n: rows.length }];
  },
};

CHARTS.usage = (question, rows, width) => CHARTS.dots(question, rows.filter((row) => row.panel !== UNEXPLAINED), width, { apart: true });
CHARTS.worth = (question, rows, width) => CHARTS.dots(question, rows, width, { zero: true, words: ["fewer", "more"] });
