// A question as a sentence, as an address and as Python; the sentence that answers it.
"use strict";

// The words of a filter; {} stands for its values.
const PHRASES = {
  player: "for {}", partner: "with {}", before: "when {} sits before", after: "when {} sits after",
  team: "for the team {}", players: "in {}-player games", variant: "in {}", family: "in {}",
  month: "in {}", year: "in {}", score: "with a score of {}", level: "at {}", seat: "in {}",
  phase: "in the {}", turn: "on turns {}",
  convention: "for {}", kind: "of the kind {}",
};
const COMMON_WORDS = ["score", "level", "seat", "phase"]; // not names, so in lower case within a sentence
const PEOPLE = ["player", "partner", "before", "after"];

const titleOf = (name) => DATA.dimensions[name].title;
const pluralOf = (text) => (/[^aeiou]y$/.test(text) ? `${text.slice(0, -1)}ies` : `${text}s`);
const small = (text) => text[0].toLowerCase() + text.slice(1);
const large = (text) => text[0].toUpperCase() + text.slice(1);

// "Ann", "Ann or Bob", "Ann, Bob or 3 more".
function listed(name, values, metric) {
  const { values: shownNames, keys } = describe(name, metric);
  const names = values.map((value) => (name === "players" ? keys[value] : cut(shownNames[value], 40)))
    .map((text) => (COMMON_WORDS.includes(name) ? small(text) : text));
  if (names.length > 3) names.splice(2, names.length, `${names.length - 2} more`);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

const phraseOf = (name, values, metric) => PHRASES[name].replace("{}", () => listed(name, values, metric));
const wordOf = (name, values, metric) => listed(name, values, metric) + (name === "players" ? "-player games" : "");

// The two sides of a comparison: each as a name, and as a phrase that follows a number.
function sidesInWords(question) {
  const metric = metricOf(question);
  const { where, versus } = question;
  const isSame = (name) => String(where[name]) === String(versus[name]);
  const names = versus === "others" ? Object.keys(contrastOf(question, metric))
    : Object.keys({ ...where, ...versus }).filter((name) => !isLabel(name, metric) && !isSame(name));
  const side = (some) => {
    const said = names.filter((name) => some[name]);
    if (!said.length) return { word: "all games", phrase: "in all games" };
    return { word: said.map((name) => wordOf(name, some[name], metric)).join(", "),
      phrase: said.map((name) => phraseOf(name, some[name], metric)).join(", ") };
  };
  if (versus !== "others") return [side(where), side(versus)];
  if (names.length > 1) return [side(where), { word: "everything else", phrase: "in everything else" }];
  const [name] = names;
  const word = PEOPLE.includes(name) ? "everyone else" : `other ${pluralOf(titleOf(name))}`;
  const phrase = PEOPLE.includes(name) ? PHRASES[name].replace("{}", word) : `${PHRASES[name].split(" ")[0]} ${word}`;
  return [side(where), { word, phrase }];
}

const withUnit = (number, unit) => (unit.startsWith("%") ? number + unit : `${number} ${unit}`);

// A value in words: "5.1 strikes per game", "18% of games", "21.3 points".
const amountOf = (value, { noun, unit, decimals }) => (
  withUnit(shown(value, decimals), unit.startsWith("per ") ? `${noun} ${unit}` : unit));
const axisOf = ({ title, unit }) => (
  small(title) === unit ? title : title + (unit.startsWith("per ") ? " " : ", ") + unit);

// The parts of the sentence: text, or a word to click with what it changes.
function sentenceOf(question) {
  const metric = metricOf(question);
  const { by, where, versus } = question;
  const parts = [{ role: "metric", word: metric.title }];
  by.forEach((name, place) => parts.push(place ? " and " : " by ", { role: `by${place}`, word: titleOf(name) }));
  if (!by.length) parts.push(" ", { role: "by0", word: "overall" });
  Object.keys(where).forEach((name, place) => {
    const [before, after] = PHRASES[name].split("{}");
    const isWhole = after.startsWith("-"); // "3-player games" is one word
    const word = listed(name, where[name], metric) + (isWhole ? after : "");
    parts.push(`${place ? ", " : " "}${before}`, { role: `where.${name}`, word }, isWhole ? "" : after);
  });
  if (versus !== null) parts.push(", compared with ", { role: "versus", word: sidesInWords(question)[1].word });
  return parts;
}

const textOf = (question) => sentenceOf(question).map((part) => part.word ?? part).join("");

// --- address: #metric=discard&by=month,player&player=Alice&players=3&versus=others; values are named by their keys --

const keysIn = (name, values, metric) => values.map((value) => describe(name, metric).keys[value]);
const isFilled = (filters) => Object.keys(filters).length > 0;

function addressOf(question) {
  const metric = metricOf(question);
  const { by, where, versus } = question;
  const filters = (some, start) => Object.entries(some).map(([name, values]) => (
    `${start}${name}=${keysIn(name, values, metric).map(encodeURIComponent).join(",")}`));
  return `#${[`metric=${metric.name}`, ...(by.length ? [`by=${by.join(",")}`] : []), ...filters(where, ""),
    ...(versus === "others" ? ["versus=others"] : filters(versus ?? {}, "versus."))].join("&")}`;
}

// [question, missing]: an address's question (null unless this page has its metric), and names that the page lacks.
function fromAddress(hash) {
  const parts = hash.slice(1).split("&").map((part) => part.split(/=(.*)/s));
  const named = (name) => parts.find(([one]) => one === name)?.[1] ?? "";
  const metric = DATA.metrics.find(({ name }) => name === named("metric"));
  const missing = metric || !named("metric") ? [] : [unescaped(named("metric"))];
  if (!metric) return [null, missing];
  const possible = dimensionsOf(metric);
  const question = { metric: metric.name, by: [], where: {}, versus: named("versus") === "others" ? "others" : null };
  for (const name of named("by").split(",").filter(Boolean)) {
    if (possible.includes(name) && question.by.length < 2 && !question.by.includes(name)) question.by.push(name);
    else missing.push(unescaped(name));
  }
  for (const [part, text = ""] of parts) {
    if (["", "metric", "by", "versus"].includes(part)) continue;
    const isVersus = part.startsWith("versus.");
    const name = isVersus ? part.slice(7) : part;
    if (!possible.includes(name)) {
      missing.push(unescaped(name));
      continue;
    }
    const keys = text.split(",").map(unescaped);
    const values = keys.map((key) => describe(name, metric).keys.indexOf(key));
    missing.push(...keys.filter((_, i) => values[i] < 0));
    const some = [...new Set(values.filter((value) => value >= 0))];
    if (!some.length) continue;
    if (isVersus) question.versus = { ...(question.versus ?? {}), [name]: some };
    else question.where[name] = some;
  }
  return [settled(question), missing];
}

// A question without the dimensions and filters that its metric does not have.
function settled(question) {
  const metric = metricOf(question);
  const possible = dimensionsOf(metric);
  const kept = (some, isKept) => Object.fromEntries(Object.entries(some).filter(([name, values]) => (
    possible.includes(name) && isKept(name, values))));
  const by = question.by.filter((name) => possible.includes(name));
  // Several parts of a metric have no common rate.
  const where = kept(question.where, (name, values) => (
    !isLabel(name, metric) || values.length === 1 || by.includes(name)));
  let { versus } = question;
  if (versus !== null && versus !== "others") versus = kept(versus, (name) => !isLabel(name, metric));
  if (versus === "others" && !isFilled(contrastOf({ where }, metric))) versus = null;
  return { metric: metric.name, by, where, versus };
}

const isNumber = (name) => isOrdered(name) && DATA.dimensions[name].keys.every((key) => /^\d{1,9}$/.test(key));

function pythonOf(question) {
  const metric = metricOf(question);
  const filters = (some) => `{${Object.entries(some).map(([name, values]) => {
    const literals = keysIn(name, values, metric).map((key) => pythonLiteral(isNumber(name) ? Number(key) : key));
    return `${pythonLiteral(name)}: [${literals.join(", ")}]`;
  }).join(", ")}}`;
  const { by, where, versus } = question;
  return `hz.analysis.explore(${["db", pythonLiteral(metric.name),
    ...(by.length ? [`by=[${by.map(pythonLiteral).join(", ")}]`] : []),
    ...(isFilled(where) ? [`where=${filters(where)}`] : []),
    ...(versus === null ? [] : [`versus=${versus === "others" ? '"others"' : filters(versus)}`])].join(", ")})`;
}

// The SQL of a question: the twin of `hanalyze.analysis.explore.explore_sql`, from the same templates.
function sqlOf(question) {
  const metric = metricOf(question);
  const { by, where, versus } = question;
  const { [metric.name]: own } = DATA.sql.metrics;
  const { terms, expressions, groupings, partners } = DATA.sql[metric.table];
  const literal = (name, key, value) => {
    if (name === "score") return value;
    if (name === "turn") return parseInt(key, 10) / 10;
    return ["players", "seat", "level"].includes(name) ? key : `'${key.replaceAll("'", "''")}'`;
  };
  const listOf = (name, values) => (
    values.map((value) => literal(name, DATA.dimensions[name].keys[value], value)).join(", "));
  const term = ([name, values]) => words(terms[name], { listed: listOf(name, values) });
  const plainFilters = (some) => Object.entries(some).filter(([name]) => !isLabel(name, metric));
  const condition = (some) => plainFilters(some).map(term).join(" AND ") || "true";
  const others = () => ("player" in where ? plainFilters(where).map((one) => (
    one[0] === "player" ? `NOT (${term(one)})` : term(one))).join(" AND ") : `NOT (${condition(where)})`);
  const chosen = [["x", condition(where)],
    ...(versus === null ? [] : [["u", versus === "others" ? others() : condition(versus)]])];
  const names = by.filter((name) => !isLabel(name, metric));
  const [selected, joins] = groupings[names.join(",")];
  const label = metric.kinds?.dimension;
  const parts = by.includes(label) || where[label]
    ? metric.kinds.keys.map((part, i) => [part, own.labels[i]]).filter((_, i) => where[label]?.includes(i) ?? true)
    : [[metric.name, own.whole]];
  const arePartners = where.player && metric.table === "games" && names.includes("partner")
    && !names.includes("player");
  return words(DATA.sql.whole, { selected, rows: own.rows,
    needs: metric.table === "games" ? "" : DATA.sql.needs,
    sides: chosen.map(([side]) => words(DATA.sql.side,
      { side, start: side === "x" ? "" : "other_", minimum: metric.minimum })).join(""),
    labels: parts.map(([part, [x, y]]) => words(DATA.sql.label, { part, x, y })).join(", "),
    marks: chosen.map(([side, text]) => words(DATA.sql.mark, { condition: text, side })).join(", "),
    joins: arePartners
      ? joins.replace(partners[0], () => words(partners[1], { listed: listOf("player", where.player) })) : joins,
    chosen: chosen.map(([side]) => `in_${side}`).join(" OR "),
    shown: names.filter((name) => where[name]).map((name) => (
      ` AND ${expressions[name]} IN (${listOf(name, where[name])})`)).join("") });
}

// --- the answer in words; every second part is bold ----------------------------------------------------------------

const intervalOf = ({ low, high }, { decimals }, said = shown) => `${said(low, decimals)} to ${said(high, decimals)}`;
const labelOf = ({ by }, { labels }) => (
  labels.map((label, place) => cut(by[place] === "turn" ? `turns ${label}` : label, 40)).join(" · "));

const othersFew = (rows, { of }) => (rows.length > 1 ? ` The others have too few ${of}.` : "");

// A difference in words: "2.1 fewer strikes per game", with the interval in the same direction.
function gapWords({ value, low, high }, { noun, unit, decimals }) {
  const size = shown(Math.abs(value), decimals);
  const ends = value < 0 ? [-high, -low] : [low, high];
  const than = unit.startsWith("per ") ? `${value < 0 ? "fewer" : "more"} ${noun} ${unit}`
    : `${unit.startsWith("%") ? "percentage points" : unit} ${value < 0 ? "lower" : "higher"}`;
  return [`${size} ${than}`, `${shown(ends[0], decimals)} to ${shown(ends[1], decimals)}`];
}

function comparisonWords(question, rows) {
  const metric = metricOf(question);
  const [own, others] = sidesInWords(question);
  const both = `${own.word} and ${others.word}`;
  const judged = rows.filter(({ difference }) => difference);
  const clear = judged.filter(({ difference }) => difference.isClear);
  const groups = question.by.length === 1 ? pluralOf(titleOf(question.by[0])) : "groups";
  const shared = question.by.find((name) => String(question.where[name]) !== String(sidesOf(question)[1].where[name]));
  if (shared) return [`Nothing to compare: each group by ${titleOf(shared)} is on one side only.`];
  if (!judged.length) return [`Too few ${metric.of} to compare.`];
  if (!question.by.length) {
    const [{ value, other, difference }] = judged;
    const values = `${shown(value, metric.decimals)} against ${shown(other.value, metric.decimals)}`;
    if (!clear.length) {
      return [`${metric.title}: no clear difference between ${both}: ${withUnit(values, metric.unit)}`
        + ` (95% interval of the difference ${intervalOf(difference, metric, signed)}).`];
    }
    const [size, interval] = gapWords(difference, metric);
    return [`${metric.title}: `, size, ` ${own.phrase} than ${others.phrase} (95% interval ${interval}): ${values}.`];
  }
  if (!clear.length) {
    return [`No clear difference between ${both} ${judged.length > 1 ? `in any of ${count(judged.length)} ${groups}.`
      : `for ${labelOf(question, judged[0])}.${othersFew(rows, metric)}`}`];
  }
  clear.sort((one, other) => Math.abs(other.difference.value) - Math.abs(one.difference.value));
  const some = clear.slice(0, 3).map((row) => {
    const [size, interval] = gapWords(row.difference, metric);
    return `${labelOf(question, row)} (${size}, 95% interval ${interval})`;
  });
  const more = clear.length > some.length ? `; and ${clear.length - some.length} more` : "";
  return [`${large(both)} differ in `, `${count(clear.length)} of ${count(judged.length)} ${groups}`,
    `: ${some.join("; ")}${more}.`];
}

function leadOf(question, rows) {
  const metric = metricOf(question);
  if (!rows.length) return [`No ${metric.of} match this question.`];
  if (question.versus !== null) return comparisonWords(question, rows);
  const known = rows.filter(({ low }) => low !== null).sort((one, other) => other.value - one.value);
  const said = (row) => `${amountOf(row.value, metric)} (95% interval ${intervalOf(row, metric)})`;
  if (!known.length) {
    const most = Math.max(...rows.map(({ y }) => y));
    return [`Too few ${metric.of} for an interval: ${rows.length > 1 ? "at most " : ""}${count(most)}.`];
  }
  const [first, last] = [known[0], known.at(-1)];
  if (!question.by.length) {
    return ["", amountOf(first.value, metric), ` (95% interval ${intervalOf(first, metric)}).`];
  }
  const label = (row) => labelOf(question, row);
  if (known.length === 1) return ["", label(first), `: ${said(first)}.${othersFew(rows, metric)}`];
  const short = `${shown(last.value, metric.decimals)} (${intervalOf(last, metric)})`;
  if (isAbove(first, last, known.length)) {
    return ["Highest: ", label(first), `, ${said(first)}. Lowest: `, label(last), `, ${short}.`];
  }
  const pairs = count((known.length * (known.length - 1)) / 2);
  const chance = first.low > last.high ? ` Among ${pairs} pairs, a difference of this size can be chance.` : "";
  const ends = `Highest: ${label(first)}, ${said(first)}; lowest: ${label(last)}, ${short}.`;
  return [`No clear difference. ${ends}${chance}`];
}
