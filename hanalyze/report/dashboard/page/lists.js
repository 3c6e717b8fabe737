// Lists of the costliest turns, and of the games and turns that a number counts. Names from logs are inserted as text.
"use strict";

function links(row, text) {
  const nodes = [];
  const turn = row.turn === undefined ? "" : `#turn=${row.turn}`;
  if (row.page) nodes.push(element("a", { href: row.page + turn }, text));
  if (row.site) {
    const href = row.site + (row.turn === undefined ? "" : `#${row.turn}`);
    const props = { href, rel: "noopener noreferrer", target: "_blank" };
    nodes.push(element("a", props, row.page ? "hanab.live" : text));
  }
  if (!nodes.length) return [text];
  return nodes.flatMap((node, i) => (i ? [" · ", node] : [node]));
}

// The rows of a list for the chosen cells. If the chart has two lists, the second is reversed; no entry occurs twice.
function listRows(question) {
  const cells = new Set(chosenCells(state));
  const rows = new Map();
  for (const name of DATA.lists[question.chart]) {
    const { most, entries } = DATA.entries[name];
    const some = entries.filter((row) => row.in.some((cell) => cells.has(cell))).slice(0, most);
    if (name === "worst") some.reverse();
    for (const row of some) {
      const key = row.turn === undefined ? row.game : `${row.game} ${row.turn}`;
      if (!rows.has(key)) rows.set(key, row);
    }
  }
  return [...rows.values()];
}

function writeList(question, lead, box) {
  const rows = listRows(question);
  const pattern = question.say[rows.length ? "clear" : "none"];
  const slots = { value: rows[0]?.cells[0], need: rows[0]?.cells[1] };
  lead.replaceChildren(...emphasised(pattern.split("**").map((part) => words(part, slots))));
  box.replaceChildren();
  if (!rows.length) return null;
  const heads = DATA.heads[question.chart];
  const body = rows.map((row) => element("tr", {}, ...row.cells.map((text, i) => {
    const cell = element("td", { "data-head": heads[i] });
    if (i === row.cells.length - 1) cell.append(...links(row, text));
    else if (i === 0 && row.meter) cell.append(...meter(row.meter, text));
    else if (i === 1 && row.card) cell.append(...happened(row));
    else cell.append(element("bdi", {}, text));
    return cell;
  })));
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  const parts = [element("thead", {}, head), element("tbody", {}, ...body)];
  box.append(element("table", { className: question.chart }, ...parts));
  return null;
}

function happened({ card, suit, player, what }) {
  const chip = element("span", { className: "card", "data-suit": suit ?? "" }, card);
  return [chip, " ", element("b", {}, element("bdi", {}, player)), ` ${what}`];
}

function meter([value, need], text) {
  const most = Math.max(2, value, need);
  const bar = element("i", { style: `width:${(100 * value) / most}%` });
  const line = element("u", { style: `left:${(100 * need) / most}%` });
  return [element("b", {}, text), element("span", { className: "meter" }, bar, line)];
}

// The games and turns that a row of a figure counts: the total, and the entries that the page has, the worst first.
function behindOf(question, row, chosen) {
  const { most, every, own, games, turns, lists } = DATA.behind;
  const isField = question.rows === "field", isPair = question.rows === "pairs", isCurve = question.rows === "curve";
  const isWorth = question.rows === "worth"; // of all games, whatever is chosen
  const filters = isWorth ? { players: null, variant: null, player: null } : chosen;
  const place = isField && question.panels.length ? row.panel : null;
  // A median has the games of its curve behind it.
  const fits = ([panel, label]) => (isCurve ? question.panels[shortOf(label)] === row.panel
    : isField || isPair ? (place ?? label) === label : panel === row.panel && label === row.label);
  const name = isCurve ? "scores" : isWorth ? question.name
    : question.counts.find((one) => DATA.sums[one].keys.some(fits));
  const allKeys = isWorth ? DATA.worth.map(([label]) => ["", label]) : DATA.sums[name].keys;
  const keys = allKeys.flatMap((one, key) => (fits(one) ? [key] : [])).reverse();
  const [key] = keys;
  const who = isField ? [DATA.players.indexOf(row.label)]
    : isPair ? [row.label, row.other].map((one) => DATA.players.indexOf(one))
      : filters.player === null ? [] : [filters.player];
  const strata = chosenCells({ ...filters, player: null }).filter((cell) => !isField
    || ownGap(name, key, who[0], cell, sumsOf(name, [cell])[key]).gap);
  const kinds = new Set(strata.map((cell) => DATA.cells[cell].slice(0, 2).join()));
  const isEvery = every.includes(name);
  const entries = [];
  let isCut = false;
  for (const [ids, values] of keys.map((one) => lists[name][one])) {
    isCut ||= ids.length >= most;
    // The first entries are the worst of all games; further ones are the worst of each player.
    ids.slice(0, who.length === 1 ? ids.length : most).forEach((id, i) => {
      const game = id < 0 ? -1 - id : turns[0][id];
      const [size, variant, players] = games[game];
      const isDecision = id >= 0 && own.includes(name);
      const isOf = (player) => (isDecision ? players[turns[2][id]] === player : players.includes(player));
      if (kinds.has(`${size},${variant}`) && who.every(isOf)) entries.push({ id, game, value: values ? values[i] : 1 });
    });
  }
  const number = isCurve ? total(keys.map((one) => sumsOf(name, chosenCells(filters))[one].x))
    : isPair ? row.n : isEvery ? row.y : row.x;
  const order = !isWorth ? null : `${row.value > 0 ? "most" : "fewest"} points in that turn and the next ${DATA.after}`;
  return { isCut, entries, isEvery, order, sample: isWorth ? sampleOf(row, key) : "", total: number,
    shown: isPair || isEvery ? entries.length : total(entries.map((one) => one.value)) };
}

// A sentence on the sample that the clues of a convention come from; "" without sampling.
function sampleOf({ y }, key) {
  const [games, read, used] = DATA.behind.sample;
  const parts = [[y, used[key], "clues"], [games, read, "games"]].filter(([some, all]) => some < all)
    .map(([some, all, what]) => `${count(some)} of ${count(all)} ${what}`);
  return parts.length ? ` They are a fixed sample: ${parts.join(" in ")}.` : "";
}

const amount = (value) => (Number.isInteger(value) ? count(value) : String(Number(value.toFixed(2))));

// A sentence on how much of a number its list covers.
function extentOf({ entries, shown, order, sample, total: whole }) {
  const things = entries.some((one) => one.id >= 0) ? "turn" : "game";
  const many = `${count(entries.length)} ${things}${entries.length === 1 ? "" : "s"}`;
  const places = shown === entries.length ? "" : `, in ${many}`;
  if (!entries.length && whole < 1e-6) return "Nothing was counted here.";
  if (Math.abs(whole - shown) < 1e-3 * Math.max(1, whole)) {
    return `All ${amount(whole)}${places}, the ${order ?? "worst"} first.${sample}`;
  }
  const few = DATA.behind.whole ? "" : ", from the games that fell shortest of their full score";
  const only = few.replace(", from", ": it covers only");
  if (!entries.length) return `This page lists none of these ${amount(whole)}${only}.${sample}`;
  if (order) return `${amount(shown)} of ${amount(whole)}, the ${order} first${few}.${sample}`;
  return `The worst ${amount(shown)} of ${amount(whole)}${places}${few}.`;
}

function entryNode({ id, game, value }, isEvery) {
  const { games, turns } = DATA.behind;
  const [,, , names, title, score, page, site] = games[game];
  const named = (text) => text.split(/\{(\d)\}/).map((part, i) => (i % 2 ? element("bdi", {}, names[part]) : part));
  const number = value !== 1 || isEvery ? element("span", { className: "worth" }, amount(value)) : null;
  if (id < 0) {
    const people = names.flatMap((name, i) => [i ? ", " : " · ", element("bdi", {}, name)]);
    return element("li", {}, number, ...links({ page, site }, title), ` · ${score}`, ...people);
  }
  const [, turn, seat, what, points] = turns.map((column) => column[id]);
  const lost = points ? element("span", { className: "lost" }, `${MINUS}${points}`) : null;
  return element("li", {}, number, ...links({ page, site, turn }, `${title}, turn ${turn}`), " · ",
    element("b", {}, element("bdi", {}, names[seat])), " ", ...named(what), lost);
}

// Opens the list behind a row.
function openBehind(question, row) {
  const found = behindOf(question, row, state);
  const named = question.rows === "curve" ? [row.panel] : question.isKey ? [] : [row.panel, row.label, row.other];
  const about = named.filter(Boolean).join(", ");
  showBehind(question.title, [element("b", {}, element("bdi", {}, about)), about ? ": " : "", extentOf(found)],
    found.entries.map((entry) => entryNode(entry, found.isEvery)));
}

const hasBehind = (question) => ["rates", "usage", "field", "pairs", "curve", "worth"].includes(question.rows);
