// Writes the sentence of a figure from its rows.
"use strict";

// The sentence on the scope of a figure for a chosen player; `shared`: several players in one cell.
function ofPlayer(scope, player, shared) {
  const said = words(DATA.of_player[scope], { player: shared ? DATA.of_player.shared : player });
  return shared && scope !== "games" ? said + DATA.of_player.each : said;
}

function slotsOf(question, row, tail = "") {
  const slots = { label: row.label, other: row.other, panel: row.panel.toLowerCase() };
  for (const name of ["value", "low", "high", "p25", "p75", "shrunk"]) {
    slots[name] = shown(row[name], question.decimals);
  }
  for (const name of ["x", "y", "n"]) slots[name] = count(row[name]);
  slots.signed = (row.value > 0 && /[1-9]/.test(slots.value) ? "+" : "") + slots.value;
  slots.size = shown(Math.abs(row.value ?? 0), question.decimals);
  slots.drawn = row.shrunk === null ? "" : `<br>shrunk towards the group: ${slots.shrunk}`;
  slots.interval = `${slots.low} to ${slots.high}`;
  if (row.low === null) slots.interval = row.n < FEWEST_GAMES ? `under ${FEWEST_GAMES} games` : "unknown";
  return Object.fromEntries(Object.entries(slots).map(([name, text]) => [name + tail, text]));
}

const isFirst = (first, others, level) => others.every((row) => isAboveBy(first, row) >= level);
const highestOf = (rows) => rows.reduce((one, row) => (row.value > one.value ? row : one));

// The rows that the sentence compares, the highest first.
function highestRows({ say: { panel } }, rows) {
  return rows.filter((row) => panel === undefined || row.panel === panel).sort(byValue);
}

// The row that the sentence calls clearly highest, coloured by the tone ""; null if there is none.
function leaderOf(question, rows, level) {
  const [first, ...others] = highestRows(question, rows);
  return first && isFirst(first, others, level) ? first : null;
}

// The sentence for a tie whose drawn intervals do not overlap; empty for other cases.
const apartWords = (question, kind, apart) => (
  kind === "tie" && apart ? { text: question.say.tie + DATA.said.apart } : {}
);

// The case of a sentence and its values. `level` is the critical value of a claim.
const CASES = {
  top(question, rows, level) {
    const some = highestRows(question, rows);
    if (!some.length || !some[0].x) return ["none", {}];
    const [first, ...others] = some;
    const kind = !others.length ? "alone" : isFirst(first, others, level) ? "clear" : "tie";
    const slots = { ...slotsOf(question, first), ...slotsOf(question, others[0] ?? first, "2") };
    return [kind, { ...slots, ...apartWords(question, kind, isFirst(first, others, Z)) }];
  },
  row(question, rows) {
    const { panel } = question.say;
    const row = rows.find((one) => one.label === question.say.label && (panel === undefined || one.panel === panel));
    if (!row) return ["absent", {}];
    const labels = (question.say.near ?? "").split(" ");
    const near = total(rows.filter((one) => labels.includes(one.label)).map((one) => one.x));
    return [row.x ? "clear" : "none", { ...slotsOf(question, row), near: shown((100 * near) / row.y, 0) }];
  },
  ends(question, rows, level) {
    const some = rows.filter((row) => row.n >= 20 && row.low !== null);
    if (some.length < 2) return ["few", {}];
    const [first, last] = [some[0], some.at(-1)];
    const kind = isAboveBy(last, first) >= level ? "up" : isAboveBy(first, last) >= level ? "down" : "tie";
    const slots = { ...slotsOf(question, first, "1"), ...slotsOf(question, last, "2") };
    const apart = Math.max(isAboveBy(first, last), isAboveBy(last, first)) >= Z;
    return [kind, { ...slots, ...apartWords(question, kind, apart) }];
  },
  trend(question, rows) {
    const row = rows.find((one) => one.panel === TREND);
    if (!row) return ["few", {}];
    return [!row.clear ? "tie" : row.value > 0 ? "up" : "down", slotsOf(question, row)];
  },
  count(question, rows) {
    const clear = rows.filter((row) => row.clear).length;
    const above = rows.filter((row) => row.clear && row.value > 0).length;
    const kind = !rows.length ? "none" : !clear && question.say.tie ? "tie" : "clear";
    return [kind, { above, below: clear - above, clear, count: rows.length }];
  },
  pairs(question, rows) {
    const judged = rows.filter((row) => row.value !== null);
    const clear = judged.filter((row) => row.clear);
    if (!clear.length) return [judged.length ? "tie" : "none", { count: judged.length }];
    const strength = (row) => Math.abs(row.value) / row.error;
    const first = clear.reduce((one, row) => (strength(row) > strength(one) ? row : one));
    return [first.value > 0 ? "above" : "below", slotsOf(question, first)];
  },
  curve(question, rows, level) {
    const clauses = [...new Set(rows.map((row) => row.panel))].map((panel) => {
      const [from, to] = crossing(rows.filter((row) => row.panel === panel), level) ?? [];
      const kind = from === undefined ? "never" : to === null ? "crossed" : "stretch";
      return [kind, words(question.say[kind], { panel: panel.toLowerCase(), from, to })];
    });
    if (clauses.every(([kind]) => kind === "never")) return [clauses.length ? "all" : "none", {}];
    clauses.sort(([one], [other]) => (one === "never") - (other === "never"));
    const text = clauses.map(([, clause]) => clause).join("; ");
    return ["text", { text: `${question.say.lead}${text[0].toUpperCase()}${text.slice(1)}.` }];
  },
};

// The sentence of a figure as parts; every second one is bold.
function sentenceOf(question, rows, level) {
  const [kind, slots] = CASES[question.say.kind](question, rows, level);
  const pattern = slots.text ?? question.say[kind] ?? DATA.said[kind] ?? "";
  const parts = pattern.split("**").map((part) => words(part, { ...slots, unit: question.unit }));
  const also = question.say.also && rows.find((row) => row.panel === question.say.also);
  if (!also) return parts;
  const [first, ...rest] = question.say.rest.split("**").map((part) => words(part, slotsOf(question, also)));
  return [...parts.slice(0, -1), parts.at(-1) + first, ...rest];
}
