// Significance of all claims of a page together, by the method of the tables
// (`hanalyze.analysis.statistics.multiplicity`): at most one in twenty claims is expected to be false. Differences have
// intervals of the same level, which exclude 0 exactly for claims. The strength of a claim is in standard errors of a
// normal distribution; Student's values are converted to it (Wallace 1959).
"use strict";

const ERROR = 0.05;

// The normal quantile with the same tail as Student's t; freedom 0: normal. `studentOf` is the inverse.
function normalOf(t, freedom) {
  if (!freedom) return t;
  return ((8 * freedom + 1) / (8 * freedom + 3)) * Math.sqrt(freedom * Math.log1p((t * t) / freedom));
}

const strengthOf = (row) => normalOf(Math.abs(row.value) / row.error, row.freedom);
const inPanel = (rows, panel) => rows.filter((row) => panel === undefined || row.panel === panel);
const highestIn = (question) => question.panels.filter((panel) => panel !== question.say.panel);

// The smallest difference between the highest row and another row, in standard errors.
function firstOf(rows) {
  const [first, ...others] = [...rows].sort(byValue);
  return others.length && first.x ? [Math.min(...others.map((row) => isAboveBy(first, row)))] : [];
}

const SAYS = {
  top: (question, rows) => firstOf(inPanel(rows, question.say.panel)),
  ends(question, rows) {
    const some = rows.filter((row) => row.n >= 20 && row.low !== null);
    const [first, last] = [some[0], some.at(-1)];
    return some.length > 1 ? [Math.max(isAboveBy(first, last), isAboveBy(last, first))] : [];
  },
  curve: (question, rows) => [...new Set(rows.map((row) => row.panel))].flatMap((panel) => {
    const needed = new Map(inPanel(rows, panel).filter((row) => row.series === 1).map((row) => [row.x, row]));
    const both = inPanel(rows, panel).filter((row) => row.series === 0 && needed.has(row.x));
    return both.map((row) => isAboveBy(needed.get(row.x), row));
  }),
};

// The strength of each comparison that the figure's sentence or its coloured marks may report.
function strengthsOf(question, rows) {
  const found = rows.filter((row) => row.error).map(strengthOf);
  found.push(...(SAYS[question.say.kind]?.(question, rows) ?? []));
  if ("clear" in question.tones) found.push(...highestIn(question).flatMap((panel) => firstOf(inPanel(rows, panel))));
  return found;
}

// The critical value of the strengths if `made` of `count` are significant.
const criticalValue = (made, count) => normalAt(1 - (ERROR * Math.max(made, 1)) / Math.max(count, 1) / 2);

function weigh(found) {
  const sorted = [...found].sort((one, other) => other - one);
  let made = sorted.length;
  while (made && sorted[made - 1] < criticalValue(made, sorted.length)) made--;
  return { weighed: sorted.length, made, level: criticalValue(made, sorted.length) };
}

// The claims of the figures of a page, from pairs of a question and its rows.
const claimsOf = (asked) => weigh(asked.flatMap(([question, rows]) => strengthsOf(question, rows)));

// Marks rows as clear if their differences are claims, and sets their intervals to match.
function judged(rows, { level }) {
  return rows.map((row) => {
    if (!row.error || row.value === null) return row;
    const half = studentOf(level, row.freedom) * row.error;
    return { ...row, low: row.value - half, high: row.value + half, clear: strengthOf(row) >= level };
  });
}
