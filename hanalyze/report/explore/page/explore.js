// The page: the sentence and its menus, the answer with its chart and table, and the games behind it.
"use strict";

const MOST_BEHIND = 200;
const MOST_ROWS = 1000; // of the table; a CSV file has all
const FIRST_ROWS = 12;
const now = { question: null, rows: [], sort: "value", column: null, isUp: false, missing: [] };
const PAGE_ONLY = ["~others", "not read"]; // keys of values that Python and SQL do not have
const narrow = matchMedia("(max-width:760px)");

// --- the question ------------------------------------------------------------------------------------------------

// Asks another question. While a menu stays open, its choices replace each other in the history.
function ask(changes, { isSame = false } = {}) {
  now.question = settled({ ...now.question, ...changes });
  now.missing = [];
  // The frame of a notebook has no address of its own.
  if (location.protocol !== "about:") {
    history[isSame ? "replaceState" : "pushState"](null, "", addressOf(now.question));
  }
  draw();
}

const wordButton = (role) => document.querySelector(`[data-role="${CSS.escape(role)}"]`);

function drawSentence() {
  const { question } = now;
  const metric = metricOf(question);
  const button = (role, content, more) => element("button", { type: "button", "data-role": role,
    "aria-haspopup": "listbox", "aria-expanded": "false", onclick: ({ currentTarget }) => openWord(role, currentTarget),
    ...more }, content);
  const word = (part) => button(part.role, element("bdi", {}, part.word), { className: "word" });
  const quiet = (role, text, label) => button(role, text, { className: "quiet", "aria-label": label });
  $("question").replaceChildren(...sentenceOf(question).map((part) => (part.word === undefined ? part : word(part))));
  const canCompare = question.versus === null && isFilled(contrastOf(question, metric));
  $("adding").replaceChildren(
    ...(question.by.length === 1 ? [quiet("by1", "+ and by", "Split by a second dimension")] : []),
    quiet("filter", "+ filter", "Add a filter"),
    ...(canCompare ? [quiet("versus", "+ compare", "Compare with others")] : []),
  );
  $("missing").hidden = !now.missing.length;
  $("missing").textContent = `Not in this page: ${now.missing.map((one) => cut(one, 60)).join(", ")}.`;
  $("definition").replaceChildren(element("b", {}, metric.title), `: ${metric.definition}`);
}

// Opens the menu of a word.
function openWord(role, anchor) {
  const [kind, name] = role.split(".");
  const make = { metric: metricMenu, filter: filterMenu, versus: versusMenu, where: valuesMenu }[kind];
  openMenu({ anchor, ...(make ? make(name) : byMenu(Number(role.at(-1)))) });
  anchor.setAttribute("aria-expanded", "true");
  $("menu").ontoggle = ({ newState }) => {
    if (newState === "open") return;
    wordButton(role)?.setAttribute("aria-expanded", "false");
    const here = document.activeElement;
    if (here === document.body || $("menu").contains(here)) (wordButton(role) ?? wordButton("metric")).focus();
  };
}

function metricMenu() {
  const option = ({ name, title, definition }) => (
    { text: title, note: definition, name, isChosen: name === now.question.metric });
  const sections = [...new Set(DATA.metrics.map(({ section }) => section))].map((section) => (
    [section, DATA.metrics.filter((one) => one.section === section).map(option)]));
  return { label: "What to count", pick: ({ name }) => ask({ metric: name }), sections };
}

function byMenu(place) {
  const { question } = now;
  const { by } = question;
  const pick = ({ name }) => ask({ by: name === null ? by.filter((_, other) => other !== place)
    : Object.assign([...by], { [place]: name }) });
  const names = dimensionsOf(metricOf(question)).filter((name) => !by.includes(name) || by[place] === name);
  const options = names.map((name) => ({ text: titleOf(name), name, isChosen: by[place] === name }));
  const none = { text: place ? "nothing else" : "overall", name: null, isChosen: by[place] === undefined };
  return { label: "Split by", pick, sections: [["", [none, ...options]]] };
}

function filterMenu() {
  const { question } = now;
  const names = dimensionsOf(metricOf(question)).filter((name) => !(name in question.where));
  const pick = ({ name }) => openWord(`where.${name}`, wordButton("filter"));
  return { label: "Filter by", pick, sections: [["", names.map((name) => ({ text: titleOf(name), name }))]] };
}

// The values of a filter, those with the most opportunities first.
function valuesMenu(name) {
  const { question } = now;
  const metric = metricOf(question);
  const { [name]: chosen = [], ...rest } = question.where;
  const rows = answer({ ...question, by: [name], where: rest, versus: null });
  const numbers = new Map(rows.map(({ values: [value], y }) => [value, y]));
  const numberOf = (value) => numbers.get(value) ?? 0;
  const options = valuesOf(name, metric).map((text, value) => (
    { text, value, isChosen: chosen.includes(value), count: count(numberOf(value)) }))
    .filter(({ value, isChosen }) => numbers.has(value) || isChosen);
  if (!isOrdered(name)) options.sort((one, other) => numberOf(other.value) - numberOf(one.value));
  const isMulti = !isLabel(name, metric) || question.by.includes(name);
  let isSame = false;
  const filterBy = (values) => {
    // The other side of a comparison follows where it has the same filter.
    const { where, versus } = now.question;
    const changed = (some) => (values.length ? { ...some, [name]: values } : without(some, name));
    const isShared = versus !== null && versus !== "others" && String(versus[name]) === String(where[name]);
    ask({ where: changed(where), versus: isShared ? changed(versus) : versus }, { isSame });
    isSame = true;
  };
  const picked = () => options.filter(({ isChosen }) => isChosen).map(({ value }) => value);
  const pick = ({ value }) => filterBy(isMulti ? picked().sort((one, other) => one - other) : [value]);
  const button = (text, className, use) => element("button", { type: "button", className, onclick: () => {
    use();
    $("menu").hidePopover();
  } }, text);
  const foot = [...(chosen.length ? [button("Remove", "remove", () => filterBy([]))] : []),
    ...(isMulti ? [button("Done", "", () => {})] : [])];
  return { label: titleOf(name), isMulti, pick, foot, sections: [["", options]] };
}

function versusMenu() {
  const { question } = now;
  const metric = metricOf(question);
  const { where, versus } = question;
  const option = (text, other) => (
    { text, versus: other, isChosen: JSON.stringify(other) === JSON.stringify(versus) });
  const another = (name) => valuesOf(name, metric).map((text, value) => option(text, { ...where, [name]: [value] }))
    .filter((_, value) => !where[name].includes(value));
  const [, others] = sidesInWords({ ...question, versus: "others" });
  const sections = Object.keys(where).filter((name) => !isLabel(name, metric))
    .map((name) => [`Another ${titleOf(name)}`, another(name)]).filter(([, options]) => options.length);
  return { label: "Compare with", pick: (one) => ask({ versus: one.versus }),
    sections: [["", [option("nothing", null), option(others.word, "others")]], ...sections] };
}

// --- the answer --------------------------------------------------------------------------------------------------

function draw() {
  drawSentence();
  const rows = answer(now.question);
  now.rows = rows ?? [];
  delete $("figure").dataset.mark;
  const lead = rows ? leadOf(now.question, rows) : ["Too many groups. Add a filter, or split by fewer dimensions."];
  $("lead").replaceChildren(...emphasised(lead));
  document.title = `${textOf(now.question)} · hanalyze`;
  for (const link of $("questions").querySelectorAll("a")) {
    if (link.hash === addressOf(now.question)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  drawBar();
  drawTable();
  drawFigure();
}

// Draws the choice of sorting marks by value or by number, if a dimension has no order.
function drawBar() {
  const { by } = now.question;
  const choose = (sort) => {
    Object.assign(now, { sort, column: null });
    drawBar();
    drawTable();
    drawFigure();
  };
  const choices = ["value", "number"].map((sort) => element("button", { type: "button", onclick: () => choose(sort),
    "aria-pressed": String(now.sort === sort) }, sort));
  const pair = element("span", { className: "pair", role: "group", "aria-label": "Sorted by" }, ...choices);
  const isFree = !by.every(isOrdered) && now.rows.length > 1;
  $("bar").replaceChildren(...(isFree ? [element("span", {}, "Sorted by"), pair] : []));
}

let drawing = 0;

// The first rows with their values and intervals, shown until Plotly has started.
function firstRows() {
  const most = now.question.by.length + 2;
  const cells = (row) => cellsOf(row).slice(0, most).map(([, text]) => element("td", {}, element("bdi", {}, text)));
  return element("table", { className: "first" }, ...sortedLines().slice(0, FIRST_ROWS)
    .map(([row]) => element("tr", {}, ...cells(row))));
}

// Words are shown at once; then Plotly starts and draws.
function drawFigure() {
  const mine = ++drawing;
  const main = document.querySelector("main");
  main.setAttribute("aria-busy", "true");
  const box = $("figure");
  const given = { width: box.clientWidth, colours: palette(), sort: now.sort };
  const made = now.rows.length ? figureOf(now.question, now.rows, given) : null;
  box.style.height = `${made ? made.layout.height : 0}px`;
  if (made && !window.Plotly && now.question.versus === null) box.replaceChildren(firstRows());
  writeBeside(made);
  requestAnimationFrame(() => setTimeout(() => {
    if (mine !== drawing) return; // another question was asked
    if (!window.Plotly) {
      startPlotly();
      box.replaceChildren();
    }
    const words = `${textOf(now.question)}. ${$("lead").textContent} Arrow keys go through the marks.`;
    if (made) drawPlot(box, made, words, ({ customdata }) => openBehind(now.rows[customdata]));
    else clearPlot(box);
    main.setAttribute("aria-busy", "false");
  }));
}

function writeBeside(made) {
  const metric = metricOf(now.question);
  const comparisons = now.rows.filter(({ difference }) => difference).length;
  const words = [`Small numbers: ${metric.of}. Lines and bands: 95% intervals.`,
    comparisons > 1 ? `Intervals of differences hold for all ${count(comparisons)} together.` : "",
    metric.minimum ? `No rate below ${metric.minimum} ${metric.of}.` : "",
    metric.share ? "" : `No interval below ${metric.fewest} games.`,
    made?.left ? `Not drawn: ${count(made.left)} with the fewest ${metric.of}; the table has them.` : "",
    DATA.listed === null ? "A click on a mark shows its question as Python." : "A click on a mark shows its games."];
  $("beside").textContent = made ? words.filter(Boolean).join(" ") : "";
}

// --- the numbers -------------------------------------------------------------------------------------------------

// The cells of a row: heading, text, value to sort by.
function cellsOf(row) {
  const { question } = now;
  const metric = metricOf(question);
  const { decimals } = metric;
  const value = (head, one) => [head, shown(one.value, decimals), one.value];
  const interval = (one, said) => (
    ["95% interval", one && one.low !== null ? intervalOf(one, metric, said) : "–", one?.low]);
  const number = (head, one) => [head, count(one), one];
  const names = row.labels.map((text, place) => [titleOf(question.by[place]), text, row.values[place]]);
  if (!row.other) {
    const ofGames = metric.of === "games" ? [] : [number("games", row.games)];
    return [...names, value(metric.unit, row), interval(row), number(metric.share ? "found" : "sum", row.x),
      number(metric.of, row.y), ...ofGames];
  }
  const [own, others] = sidesInWords(question).map(({ word }) => cut(word, 24));
  const gap = row.difference;
  return [...names, value(own, row), number(metric.of, row.y), value(others, row.other), number(metric.of, row.other.y),
    ["difference", gap ? signed(gap.value, decimals) : "–", gap?.value], interval(gap, signed),
    ["clear", gap ? (gap.isClear ? "yes" : "no") : "–", Number(gap?.isClear)]];
}

// The rows with their cells, as the figure or as a chosen column sorts them.
function sortedLines() {
  const { question, rows, sort, column, isUp } = now;
  const places = question.by.map((_, place) => (
    new Map(orderOf(question, rows, place, sort).map((value, i) => [value, i]))));
  const placeOf = ({ values }) => values.reduce((sum, value, i) => sum * rows.length + places[i].get(value), 0);
  const lines = [...rows].sort((one, other) => placeOf(one) - placeOf(other)).map((row) => [row, cellsOf(row)]);
  if (column === null || column >= lines[0][1].length) return lines;
  const value = ([, cells]) => cells[column][2] ?? -Infinity;
  return lines.sort((one, other) => (isUp ? value(one) - value(other) : value(other) - value(one)));
}

function drawTable() {
  const details = $("numbers");
  details.ontoggle = () => { if (details.open && !$("table").firstChild) drawTable(); };
  $("table").replaceChildren();
  if (!details.open || !now.rows.length) return;
  const lines = sortedLines();
  const names = now.question.by.length;
  const sortBy = (column) => {
    [now.isUp, now.column] = [now.column === column ? !now.isUp : column < names, column];
    drawTable();
    $("table").querySelectorAll("th button")[column].focus();
  };
  const head = ([text], column) => element("th", { scope: "col",
    "aria-sort": now.column === column ? (now.isUp ? "ascending" : "descending") : "none" },
  element("button", { type: "button", onclick: () => sortBy(column) }, text));
  const cell = (row) => ([name, text], column) => {
    const said = element("bdi", {}, text);
    const open = { type: "button", className: "open", onclick: () => openBehind(row) };
    const content = column === 0 ? element("button", open, said) : said;
    const isName = column === 0 && names > 0;
    return element(isName ? "th" : "td", isName ? { scope: "row" } : { "data-head": name }, content);
  };
  const body = lines.slice(0, MOST_ROWS).map(([row, cells]) => element("tr", {}, ...cells.map(cell(row))));
  $("table").append(element("table", {}, element("caption", { className: "unseen" }, textOf(now.question)),
    element("thead", {}, element("tr", {}, ...lines[0][1].map(head))), element("tbody", {}, ...body)));
  const most = `The first ${count(MOST_ROWS)} of ${count(lines.length)}; CSV saves all.`;
  if (lines.length > MOST_ROWS) $("table").append(element("p", {}, most));
}

// --- the games behind a mark -------------------------------------------------------------------------------------

function showDialog(title, about, code = null, entries = []) {
  Object.assign($("behind-code"), { textContent: code, hidden: code === null });
  showBehind(title, [about], entries);
}

function openBehind(row) {
  if (!row) return;
  const { question } = now;
  const metric = metricOf(question);
  const title = [metric.title, labelOf(question, row)].filter(Boolean).join(": ");
  if (DATA.listed === null) {
    const group = Object.fromEntries(question.by.map((name, place) => [name, [row.values[place]]]));
    const code = pythonOf({ ...question, by: [], where: { ...question.where, ...group }, versus: null });
    showDialog(title, "This page counts games together, so it cannot list them. The same numbers in Python:", code);
    return;
  }
  const games = behind(question, row.group);
  const entry = ({ game, x, y }) => {
    const sum = shown(x, Number.isInteger(x) ? 0 : metric.decimals);
    const number = metric.of === "games" ? sum : `${sum} of ${count(y)}`;
    const name = element("bdi", {}, `Game ${DATA.listed.names[game]}`);
    const href = DATA.listed.addresses[game];
    return element("li", {}, element("span", { className: "worth" }, number),
      href === null ? name : element("a", { href, rel: "noopener noreferrer", target: "_blank" }, name));
  };
  const most = games.length > MOST_BEHIND ? `${MOST_BEHIND} of ` : "";
  const about = `${most}${count(games.length)} games, the highest counts first.`;
  showDialog(title, about, null, games.slice(0, MOST_BEHIND).map(entry));
}

// --- files and code ----------------------------------------------------------------------------------------------

function saveCsv() {
  const { question, rows } = now;
  const sides = ["value", "low", "high", "x", "y", "games"];
  const gaps = question.versus === null ? [] : ["value", "low", "high"];
  const names = [...question.by, ...sides, ...(gaps.length ? sides.map((name) => `other_${name}`) : []),
    ...gaps.map((name) => (name === "value" ? "difference" : `difference_${name}`))];
  const lines = rows.map(({ other, difference, ...row }) => [...row.labels, ...sides.map((name) => row[name]),
    ...(other ? sides.map((name) => other[name]) : []), ...gaps.map((name) => difference?.[name] ?? null)]);
  saveLines(question.metric, [names, ...lines]);
}

function savePng() {
  const box = $("figure");
  savePlot(box, now.question.metric, cut(textOf(now.question), Math.floor(box.clientWidth / 9)));
}

// Copies the question as Python or SQL; where the browser forbids it, shows the code.
async function copy(language, button) {
  const { question } = now;
  const filters = [question.where, ...(question.versus === "others" ? [] : [question.versus ?? {}])];
  const metric = metricOf(question);
  const here = filters.flatMap((some) => Object.entries(some).flatMap(([name, values]) => (
    keysIn(name, values, metric).flatMap((key, i) => (
      PAGE_ONLY.includes(key) ? [describe(name, metric).values[values[i]]] : [])))));
  if (here.length) {
    const problem = `The group “${here[0]}” exists only on this page: choose other groups and copy again.`;
    showDialog(`Copy as ${language}`, problem);
    return;
  }
  const code = language === "SQL" ? sqlOf(question) : pythonOf(question);
  try {
    await navigator.clipboard.writeText(code);
    $("said").textContent = `Copied as ${language}`;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = `Copy as ${language}`; }, 1500);
  } catch {
    showDialog(`The question as ${language}`, "This browser does not allow pages to copy; select the text.", code);
  }
}

function build() {
  $("games").textContent = `Explore ${count(DATA.games)} games`;
  const button = (id, text, onclick) => element("button", { type: "button", id, onclick }, text);
  $("save").append(button("png", "PNG", savePng), button("csv", "CSV", saveCsv),
    ...(DATA.sql ? ["Python", "SQL"] : ["Python"]).map((language) => button(
      `copy-${language.toLowerCase()}`, `Copy as ${language}`, ({ currentTarget }) => copy(language, currentTarget))));
  const start = (question) => (event) => {
    event.preventDefault();
    ask(question);
  };
  $("questions").append(...DATA.questions.map((question) => element("li", {},
    element("a", { href: addressOf(settled(question)), onclick: start(question) }, question.title))));
  $("notes").append(...[...DATA.notes, `Made by hanalyze ${DATA.version}.`].map((note) => element("p", {}, note)));
  const say = (row) => {
    $("said").textContent = cellsOf(now.rows[row]).map(([head, text]) => `${head}: ${text}`).join(", ");
  };
  $("figure").onkeydown = (event) => stepThrough(event, say, (row) => openBehind(now.rows[row]));
  const fold = () => { $("ready").open = !narrow.matches; };
  narrow.addEventListener("change", fold);
  fold();
  listen(drawFigure);
}

function readAddress() {
  const [question, missing] = fromAddress(location.hash);
  const first = DATA.questions[0] ?? { metric: DATA.metrics[0].name, by: [], where: {}, versus: null };
  Object.assign(now, { question: question ?? settled(first), missing });
  if ($("menu").matches(":popover-open")) $("menu").hidePopover();
  draw();
}

document.addEventListener("DOMContentLoaded", async () => {
  await unpack($("data").textContent);
  build();
  readAddress();
  window.addEventListener("hashchange", readAddress);
});
