// A box for SQL, answered by DuckDB-WASM from the turns in the page.
"use strict";

const MOST_LINES_SHOWN = 500;
// The worker gets its engine by message, as pages on disk cannot fetch; nothing else is fetched.
const PRELUDE = `
const engine = new Promise((resolve) => {
  self.addEventListener("message", (event) => {
    event.stopImmediatePropagation();
    resolve(event.data);
  }, { once: true });
});
self.fetch = async () => new Response(await engine, { headers: { "Content-Type": "application/wasm" } });
for (const name of ["XMLHttpRequest", "WebSocket", "EventSource"]) self[name] = undefined;
console.log = console.warn = console.error = () => {};
`;

// Messages to the worker and its replies, with the names of DuckDB-WASM's own library.
const engine = { worker: null, waiting: new Map(), number: 0, connection: null };

function sendToEngine(type, data) {
  const messageId = ++engine.number;
  return new Promise((resolve, reject) => {
    engine.waiting.set(messageId, { resolve, reject });
    engine.worker.postMessage({ messageId, type, data });
  });
}

async function startEngine() {
  const source = new Blob([PRELUDE, await inflated($("worker").textContent)], { type: "text/javascript" });
  engine.worker = new Worker(URL.createObjectURL(source));
  engine.worker.onmessage = ({ data: { requestId, type, data } }) => {
    const request = engine.waiting.get(requestId);
    if (!request || type === "INSTANTIATE_PROGRESS") return;
    engine.waiting.delete(requestId);
    if (type === "ERROR") request.reject(new Error(data.message));
    else request.resolve(data);
  };
  const wasm = await inflated($("wasm").textContent);
  engine.worker.postMessage(wasm, [wasm]);
  await sendToEngine("INSTANTIATE", ["data:application/wasm,", null]);
  await sendToEngine("OPEN", {});
  engine.connection = await sendToEngine("CONNECT", null);
  const turns = new Uint8Array(await inflated($("turns").textContent));
  await sendToEngine("REGISTER_FILE_BUFFER", ["games.duckdb", turns]);
  await sendToEngine("RUN_QUERY", [engine.connection, "ATTACH 'games.duckdb' AS games (READ_ONLY); USE games"]);
  for (const id of ["worker", "wasm", "turns"]) $(id).remove();
}

// The lines of a result, each a list of texts; null for NULL. DuckDB writes CSV, in which only NULL is not quoted.
async function linesOf(query) {
  engine.ready ??= startEngine();
  await engine.ready;
  const inner = query.trim().replace(/;$/, "");
  await sendToEngine("RUN_QUERY", [engine.connection, `COPY (${inner}\n) TO 'result.csv' (HEADER, FORCE_QUOTE *)`]);
  const text = new TextDecoder().decode(await sendToEngine("COPY_FILE_TO_BUFFER", "result.csv"));
  await sendToEngine("DROP_FILE", "result.csv");
  const lines = [[]];
  for (const [, quoted, plainText, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n|$)/g)) {
    if (quoted === undefined && plainText === "" && end === "") break;
    lines.at(-1).push(quoted === undefined ? plainText || null : quoted.replaceAll('""', '"'));
    if (end === "\n") lines.push([]);
  }
  return lines.filter(({ length }) => length);
}

// Uses the result of the query in the box; one query at a time.
async function runSql(use) {
  if ($("sql").getAttribute("aria-busy") === "true") return;
  $("sql-said").textContent = engine.connection === null ? "DuckDB starts …" : "";
  $("sql").setAttribute("aria-busy", "true");
  try {
    use(await linesOf($("sql-text").value));
  } catch ({ message }) {
    $("sql-result").replaceChildren();
    $("sql-said").textContent = message.replaceAll("COPY (", "");
  }
  $("sql").setAttribute("aria-busy", "false");
}

function showLines([head, ...lines]) {
  const shownLines = lines.slice(0, MOST_LINES_SHOWN);
  const cells = (line) => line.map((text, i) => (
    element("td", { "data-head": head[i] }, element("bdi", {}, text ?? "–"))));
  $("sql-said").textContent = lines.length > MOST_LINES_SHOWN
    ? `The first ${count(MOST_LINES_SHOWN)} of ${count(lines.length)} rows; CSV saves all.`
    : `${count(lines.length)} ${lines.length === 1 ? "row" : "rows"}`;
  $("sql-result").replaceChildren(element("table", {},
    element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...shownLines.map((line) => element("tr", {}, ...cells(line))))));
}

document.addEventListener("DOMContentLoaded", () => {
  const save = (lines) => {
    const text = lines.map((line) => `${line.map(csvCell).join(",")}\r\n`).join("");
    download("result.csv", URL.createObjectURL(new Blob([text], { type: "text/csv" })));
    $("sql-said").textContent = "Saved";
  };
  $("sql-run").onclick = () => runSql(showLines);
  $("sql-csv").onclick = () => runSql(save);
  $("sql-take").onclick = () => { $("sql-text").value = sqlOf(now.question); };
});
