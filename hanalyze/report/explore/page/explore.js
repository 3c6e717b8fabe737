// The page: the sentence and its menus, the answer with its chart and table, and the games behind it.
"use strict";

const MOST_BEHIND = 200;
const MOST_ROWS = 1000; // of the table; a CSV file has all
const SETTLE = 80; // milliseconds after a resize
const now = { question: null, rows: [], sort: "value", column: null, isUp: false, missing: [], mark: -1 };
const narrow = matchMedia("(max-width:760px)");

// --- the question ----------------------------------------------------------------------------------------------------

// Asks another question. While a menu stays open, its choices replace each other in the history.
function ask(changes, { isSame = false } = {}) {
  now.question = settled({ ...now.question, ...changes });
  now.missing = [];
  history[isSame ? "replaceState" : "pushState"](null, "", addressOf(now.question));
  draw();
}

const wordButton = (role) => document.querySelector(`[data-role="${CSS.escape(role)}"]`);

function drawSentence() {
  const { question } = now;
  const word = ({ role, word: text }) => element("button", { type: "button", className: "word", "data-role": role,
    "aria-haspopup": "listbox", "aria-expanded": "false", onclick: (event) => open(role, event.currentTarget) }, element("bdi", {}, text));
  const quiet = (role, text, label) => element("button", { type: "button", className: "quiet", "data-role": role,
    "aria-haspopup": "listbox", "aria-label": label, onclick: (event) => open(role, event.currentTarget) }, text);
  const metric = metricOf(question);
  $("question").replaceChildren(...sentenceOf(question).map((part) => (part.word === undefined ? part : word(part))));
  $("adding").replaceChildren(...[question.by.length === 1 ? quiet("by1", "+ and by", "Split by a second dimension") : null,
    quiet("filter", "+ filter", "Add a filter"),
    question.versus === null && Object.keys(contrastOf(question, metric)).length ? quiet("versus", "+ compare", "Compare with others") : null].filter(Boolean));
  $("missing").hidden = !now.missing.length;
  $("missing").textContent = now.missing.length ? `Not in this page: ${now.missing.map((one) => cut(one, 60)).join(", ")}.` : "";
  $("definition").replaceChildren(element("b", {}, metric.title), `: ${metric.definition}`);
}

// Opens the menu of a word.
function open(role, anchor) {
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
  const sections = [...new Set(DATA.metrics.map(({ section }) => section))];
  const option = ({ name, title, definition }) => ({ text: title, note: definition, name, isChosen: name === now.question.metric });
  return { label: "What to count", pick: ({ name }) => ask({ metric: name }),
    sections: sections.map((section) => [section, DATA.metrics.filter((one) => one.section === section).map(option)]) };
}

function byMenu(place) {
  const { question } = now;
  const { by } = question;
  const pick = ({ name }) => ask({ by: name === null ? by.filter((_, other) => other !== place)
    : Object.assign([...by], { [place]: name }) });
  const names = dimensionsOf(metricOf(question))
    .filter((name) => !by.includes(name) || by[place] === name);
  const options = names.map((name) => ({ text: titleOf(name), name, isChosen: by[place] === name }));
  const none = { text: place ? "nothing else" : "overall", name: null, isChosen: by[place] === undefined };
  return { label: "Split by", pick, sections: [["", [none, ...options]]] };
}

function filterMenu() {
  const { question } = now;
  const names = dimensionsOf(metricOf(question))
    .filter((name) => !(name in question.where));
  const pick = ({ name }) => open(`where.${name}`, wordButton("filter"));
  return { label: "Filter by", pick, sections: [["", names.map((name) => ({ text: titleOf(name), name }))]] };
}

// The values of a filter, those with the most opportunities first.
function valuesMenu(name) {
  const { question } = now;
  const metric = metricOf(question);
  const { [name]: chosen = [], ...rest } = question.where;
  const numbers = new Map(answer({ ...question, by: [name], where: rest, versus: null }).map(({ values: [value], y }) => [value, y]));
  const options = valuesOf(name, metric).map((text, value) => ({ text, value, isChosen: chosen.includes(value), count: count(numbers.get(value) ?? 0) }))
    .filter(({ value, isChosen }) => numbers.has(value) || isChosen);
  if (!describe(name, metric).ordered) options.sort((one, other) => (numbers.get(other.value) ?? 0) - (numbers.get(one.value) ?? 0));
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
  const pick = (option) => filterBy(isMulti ? options.filter(({ isChosen }) => isChosen).map(({ value }) => value).sort((one, other) => one - other)
    : [option.value]);
  const close = (use) => () => { use(); $("menu").hidePopover(); };
  const foot = [chosen.length ? element("button", { type: "button", className: "remove", onclick: close(() => filterBy([])) }, "Remove") : null,
    isMulti ? element("button", { type: "button", onclick: close(() => {}) }, "Done") : null].filter(Boolean);
  return { label: titleOf(name), isMulti, pick, foot, sections: [["", options]] };
}

function versusMenu() {
  const { question } = now;
  const metric = metricOf(question);
  const { where, versus } = question;
  const others = (name) => valuesOf(name, metric).map((text, value) => ({ text, versus: { ...where, [name]: [value] } }))
    .filter((_, value) => !where[name].includes(value)).map((one) => ({ ...one, isChosen: String(Object.entries(one.versus)) === String(Object.entries(versus ?? {})) }));
  const sections = Object.keys(where).filter((name) => !isLabel(name, metric)).map((name) => [`Another ${titleOf(name)}`, others(name)]);
  const { word } = sidesInWords({ ...question, versus: "others" })[1];
  return { label: "Compare with", pick: (option) => ask({ versus: option.versus }), sections: [["", [
    { text: "nothing", versus: null, isChosen: versus === null }, { text: word, versus: "others", isChosen: versus === "others" }]],
  ...sections.filter(([, options]) => options.length)] };
}

// --- the answer ------------------------------------------------------------------------------------------------------

function draw() {
  drawSentence();
  const rows = answer(now.question);
  now.rows = rows ?? [];
  now.mark = -1;
  $("lead").replaceChildren(...(rows ? emphasised(leadOf(now.question, rows)) : ["That would be too many groups. Add a filter, or split by less."]));
  document.title = `${textOf(now.question)} · hanalyze`;
  for (const link of $("questions").querySelectorAll("a")) {
    if (link.hash === addressOf(now.question)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  drawBar();
  drawTable();
  drawFigure();
}

// How the marks are sorted, if their dimension has no order.
function drawBar() {
  const { by } = now.question;
  const isFree = by.some((name) => !DATA.dimensions[name].ordered) && now.rows.length > 1;
  const choice = (sort, text) => element("button", { type: "button", "aria-pressed": String(now.sort === sort),
    onclick: () => {
      now.sort = sort;
      drawBar();
      drawTable();
      drawFigure();
    } }, text);
  $("bar").replaceChildren(...(isFree ? [element("span", {}, "Sorted by"),
    element("span", { className: "pair", role: "group", "aria-label": "Sorted by" }, choice("value", "value"), choice("number", "number"))] : []));
}

let drawing = 0;

// The words are there at once; Plotly starts and draws after them.
function drawFigure() {
  const mine = ++drawing;
  const main = document.querySelector("main");
  main.setAttribute("aria-busy", "true");
  const box = $("figure");
  const made = now.rows.length ? figureOf(now.question, now.rows, { width: box.clientWidth, colours: palette(), sort: now.sort }) : null;
  box.style.height = `${made ? made.layout.height : 0}px`;
  writeBeside(made);
  requestAnimationFrame(() => setTimeout(() => {
    if (mine !== drawing) return; // another question was asked
    if (!window.Plotly) startPlotly();
    if (made) {
      made.layout.font.family = getComputedStyle(box).fontFamily;
      const isNew = !box.data;
      Plotly.react(box, made.data, made.layout, { displayModeBar: false, doubleClick: false, showTips: false });
      if (isNew) box.on("plotly_click", ({ points: [{ customdata }] }) => openBehind(now.rows[customdata]));
      box.setAttribute("role", "img");
      box.setAttribute("aria-label", `${textOf(now.question)}. ${$("lead").textContent} Arrow keys go through the marks.`);
      box.tabIndex = 0;
    } else if (box.data) {
      Plotly.purge(box);
      for (const name of ["role", "aria-label", "tabindex"]) box.removeAttribute(name);
    }
    main.setAttribute("aria-busy", "false");
  }));
}

function writeBeside(made) {
  const metric = metricOf(now.question);
  const comparisons = now.rows.filter(({ difference }) => difference).length;
  const words = [`Small numbers: ${metric.of}. Lines and bands: 95% intervals.`,
    comparisons > 1 ? `Intervals of differences hold for all ${count(comparisons)} together.` : "",
    metric.minimum ? `No rate below ${metric.minimum} ${metric.of}.` : metric.share ? "" : `No interval below ${metric.fewest} games.`,
    made?.left ? `Not drawn: ${count(made.left)} with the fewest ${metric.of}; the table has them.` : "",
    "A click on a mark shows its games."];
  $("beside").textContent = made ? words.filter(Boolean).join(" ") : "";
}

// Arrow keys go from mark to mark of the figure, and Enter opens the games of the mark.
function stepThrough(event) {
  const box = $("figure");
  const marks = (box.data ?? []).flatMap(({ customdata, type }, curveNumber) => (customdata ?? []).flat()
    .map((number, pointNumber) => ({ curveNumber, pointNumber, number, type }))).filter(({ number }) => number !== null && number >= 0)
    .filter(({ number }, i, all) => all.findIndex((one) => one.number === number) === i);
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  const at = marks.findIndex(({ number }) => number === now.mark);
  if (event.key in steps && marks.length) {
    const mark = marks[at < 0 ? (steps[event.key] > 0 ? 0 : marks.length - 1) : (at + steps[event.key] + marks.length) % marks.length];
    now.mark = mark.number;
    const { xaxis, yaxis } = box.data[mark.curveNumber];
    if (mark.type !== "heatmap") Plotly.Fx.hover(box, [mark], [xaxis + yaxis]);
    $("said").textContent = cellsOf(now.rows[now.mark]).map(([head, text]) => `${head}: ${text}`).join(", ");
  } else if (event.key === "Enter" && now.rows[now.mark]) openBehind(now.rows[now.mark]);
  else return;
  event.preventDefault();
}

// --- the numbers -------------------------------------------------------------------------------------------------------

// The cells of a row: heading, text, value to sort by.
function cellsOf(row) {
  const { question } = now;
  const metric = metricOf(question);
  const side = (one) => [[metric.unit, shown(one.value, metric.decimals), one.value],
    ["95% interval", one.low === null ? "–" : intervalOf(one, metric), one.low],
    [metric.share ? "found" : "sum", count(one.x), one.x], [metric.of, count(one.y), one.y], ["games", count(one.games), one.games]];
  const names = row.labels.map((text, place) => [titleOf(question.by[place]), text, row.values[place]]);
  if (!row.other) {
    const cells = side(row);
    return [...names, ...(metric.of === "games" ? cells.slice(0, 4) : cells)];
  }
  const [own, others] = sidesInWords(question).map(({ word }) => cut(word, 24));
  const gap = row.difference;
  return [...names, [own, shown(row.value, metric.decimals), row.value], [`${metric.of}`, count(row.y), row.y],
    [others, shown(row.other.value, metric.decimals), row.other.value], [`${metric.of}`, count(row.other.y), row.other.y],
    ["difference", gap ? signed(gap.value, metric.decimals) : "–", gap && gap.value],
    ["95% interval", gap ? intervalOf(gap, metric, signed) : "–", gap && gap.low], ["clear", gap ? (gap.isClear ? "yes" : "no") : "–", gap && Number(gap.isClear)]];
}

function drawTable() {
  const details = $("numbers");
  details.ontoggle = () => { if (details.open && !$("table").firstChild) drawTable(); };
  $("table").replaceChildren();
  if (!details.open || !now.rows.length) return;
  const places = now.question.by.map((_, place) => new Map(orderOf(now.question, now.rows, place, now.sort).map((value, i) => [value, i])));
  const placeOf = ({ values }) => values.reduce((sum, value, i) => sum * now.rows.length + places[i].get(value), 0);
  const lines = [...now.rows].sort((one, other) => placeOf(one) - placeOf(other)).map((row) => [row, cellsOf(row)]);
  const heads = lines[0][1].map(([head]) => head);
  if (now.column !== null && now.column < heads.length) {
    const value = ([, cells]) => cells[now.column][2] ?? -Infinity;
    lines.sort((one, other) => (now.isUp ? 1 : -1) * (value(one) - value(other)));
  }
  const sorted = (column) => {
    [now.isUp, now.column] = [now.column === column ? !now.isUp : column < now.question.by.length, column];
    drawTable();
    $("table").querySelectorAll("th button")[column].focus();
  };
  const head = (text, column) => element("th", { scope: "col",
    "aria-sort": now.column === column ? (now.isUp ? "ascending" : "descending") : "none" },
  element("button", { type: "button", onclick: () => sorted(column) }, text));
  const first = now.question.by.length ? 0 : -1;
  const line = ([row, cells]) => element("tr", {}, ...cells.map(([name, text], column) => element(column === first ? "th" : "td",
    { "data-head": name, ...(column === first ? { scope: "row" } : {}) },
    column === Math.max(first, 0) ? element("button", { type: "button", className: "open", onclick: () => openBehind(row) }, element("bdi", {}, text))
      : element("bdi", {}, text))));
  $("table").append(element("table", {}, element("caption", { className: "unseen" }, textOf(now.question)),
    element("thead", {}, element("tr", {}, ...heads.map(head))), element("tbody", {}, ...lines.slice(0, MOST_ROWS).map(line))));
  if (lines.length > MOST_ROWS) $("table").append(element("p", {}, `The first ${count(MOST_ROWS)} of ${count(lines.length)}; CSV saves all.`));
}

// --- the games behind a mark -------------------------------------------------------------------------------------------

function openBehind(row) {
  if (!row) return;
  const { question } = now;
  const metric = metricOf(question);
  const name = labelOf(row);
  $("behind-title").textContent = name ? `${metric.title}: ${name}` : metric.title;
  $("behind-code").hidden = DATA.listed !== null;
  $("behind-list").replaceChildren();
  if (DATA.listed === null) {
    $("behind-about").textContent = "This page counts games together, so it cannot list them. The same numbers in Python:";
    const where = { ...question.where, ...Object.fromEntries(question.by.map((one, place) => [one, [row.values[place]]])) };
    $("behind-code").textContent = pythonOf({ ...question, by: [], where, versus: null });
  } else {
    const games = behind(question, row.group);
    const words = ({ x, y }) => (metric.of === "games" ? shown(x, Number.isInteger(x) ? 0 : metric.decimals) : `${count(x)} of ${count(y)}`);
    const most = games.length > MOST_BEHIND ? `The ${MOST_BEHIND} of ${count(games.length)} games` : `${count(games.length)} games`;
    $("behind-about").textContent = `${most}, the highest counts first.`;
    $("behind-list").append(...games.slice(0, MOST_BEHIND).map((one) => {
      const address = DATA.listed.addresses[one.game];
      const title = element("bdi", {}, `Game ${DATA.listed.names[one.game]}`);
      return element("li", {}, element("span", { className: "worth" }, words(one)), /^https?:|^[^:]*$/.test(address ?? ":")
        ? element("a", { href: address, rel: "noopener noreferrer", target: "_blank" }, title) : title);
    }));
  }
  $("behind").showModal();
  $("behind-list").scrollTop = 0;
}

// --- files and code ----------------------------------------------------------------------------------------------------

function saveCsv() {
  const { question, rows } = now;
  const sides = ["value", "low", "high", "x", "y", "games"];
  const names = [...question.by, ...sides, ...(question.versus === null ? [] : [...sides.map((name) => `other_${name}`), "difference",
    "difference_low", "difference_high"])];
  const lines = rows.map((row) => [...row.labels, ...sides.map((name) => row[name]), ...(row.other
    ? [...sides.map((name) => row.other[name]), ...["value", "low", "high"].map((name) => row.difference?.[name] ?? null)] : [])]);
  const text = [names, ...lines].map((line) => `${line.map(csvCell).join(",")}\r\n`).join("");
  download(`${question.metric}.csv`, `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`);
}

async function savePng() {
  const { data, layout } = $("figure");
  if (!data) return;
  const { panel, ink1 } = palette();
  const pad = 52;
  const title = { text: `<b>${plain(cut(textOf(now.question), Math.floor(layout.width / 9)))}</b>`, x: 0.02, y: 1, yanchor: "top",
    pad: { t: 18 }, font: { size: 17, color: ink1 } };
  const whole = { ...layout, title, paper_bgcolor: panel, height: layout.height + pad, margin: { ...layout.margin, t: pad } };
  download(`${now.question.metric}.png`, await Plotly.toImage({ data, layout: whole }, { format: "png", scale: 2 }));
}

// Copies the question as Python; where the browser forbids it, shows the code.
async function copyPython() {
  const code = pythonOf(now.question);
  try {
    await navigator.clipboard.writeText(code);
    $("said").textContent = "Copied as Python";
    $("copy").textContent = "Copied";
    setTimeout(() => { $("copy").textContent = "Copy as Python"; }, 1500);
  } catch {
    $("behind-title").textContent = "The question as Python";
    $("behind-about").textContent = "This browser does not let a page copy; select the text.";
    $("behind-list").replaceChildren();
    Object.assign($("behind-code"), { textContent: code, hidden: false });
    $("behind").showModal();
  }
}

function build() {
  $("games").textContent = `Explore ${count(DATA.games)} games`;
  const button = (id, text, onclick) => element("button", { type: "button", id, onclick }, text);
  $("save").append(button("png", "PNG", savePng), button("csv", "CSV", saveCsv),
    button("copy", "Copy as Python", copyPython));
  $("questions").append(...DATA.questions.map((question) => {
    const whole = settled(question);
    return element("li", {}, element("a", { href: addressOf(whole) }, question.title));
  }));
  $("notes").append(...[...DATA.notes, `Made by hanalyze ${DATA.version}.`].map((note) => element("p", {}, note)));
  $("behind-close").onclick = () => $("behind").close();
  $("behind").onclick = (event) => { if (event.target === $("behind")) $("behind").close(); };
  $("figure").onkeydown = stepThrough;
  const fold = () => { $("ready").open = !narrow.matches; };
  narrow.addEventListener("change", fold);
  fold();
  document.addEventListener("theme", drawFigure);
  let width = window.innerWidth, timer = 0;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    clearTimeout(timer);
    timer = setTimeout(drawFigure, SETTLE);
  });
}

function readAddress() {
  const [question, missing] = fromAddress(location.hash);
  Object.assign(now, { question: question ?? settled(DATA.questions[0]), missing });
  if ($("menu").matches(":popover-open")) $("menu").hidePopover();
  draw();
}

document.addEventListener("DOMContentLoaded", async () => {
  await unpack($("data").textContent);
  $("data").remove();
  build();
  readAddress();
  window.addEventListener("hashchange", readAddress);
});
