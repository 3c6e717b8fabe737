// A box for SQL, answered by DuckDB-WASM from the turns in the page, or in a file next to it.
"use strict";

const MOST_LINES_SHOWN = 500;
// Maximum size in bytes of a file loaded as a whole, from a server without range requests; MOST_WHOLE in Python.
const MOST_WHOLE = 1e9;
const FILE_SYSTEM = { allowFullHTTPReads: true, forceFullHTTPReads: false, reliableHeadRequests: false };
// The worker gets its engine by message, as pages on disk cannot fetch.
const PRELUDE = `
const engine = new Promise((resolve) => {
  self.addEventListener("message", (event) => {
    event.stopImmediatePropagation();
    resolve(event.data);
  }, { once: true });
});
self.fetch = async () => new Response(await engine, { headers: { "Content-Type": "application/wasm" } });
self.WebSocket = self.EventSource = undefined;
console.log = console.warn = console.error = () => {};
`;

// The worker, the requests that wait for its replies, and the connection. Messages are those of DuckDB-WASM's library.
const engine = { worker: null, waiting: new Map(), number: 0, connection: null };

function sendToEngine(type, data) {
  const messageId = ++engine.number;
  return new Promise((resolve, reject) => {
    engine.waiting.set(messageId, { resolve, reject });
    engine.worker.postMessage({ messageId, type, data });
  });
}

const hasFiles = () => "files" in $("sql").dataset;

// The bytes of the engine or its worker, from the page or from the file that it names.
async function bytesOf(id) {
  if (!hasFiles()) return inflated($(id).textContent);
  const response = await fetch($(id).textContent);
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return response.arrayBuffer();
}

async function registerTurns(name) {
  const text = $("turns").textContent;
  if (!hasFiles()) return sendToEngine("REGISTER_FILE_BUFFER", [name, new Uint8Array(await inflated(text))]);
  const { url, headers } = await fetch(text, { method: "HEAD" });
  const size = Number(headers.get("Content-Length"));
  if (headers.get("Accept-Ranges") !== "bytes" && size > MOST_WHOLE) {
    throw new Error(`This server sends whole files only, and ${name} has ${(size / 1e9).toFixed(1)} GB: `
      + "use one that supports range requests, such as nginx, Caddy or npx http-server.");
  }
  return sendToEngine("REGISTER_FILE_URL", [name, url, 4 /* HTTP */, false]);
}

async function startEngine() {
  // The page's policy, which the worker inherits, limits requests to the page's own server.
  const requests = hasFiles() ? "" : "self.XMLHttpRequest = undefined;";
  const source = new Blob([requests, PRELUDE, await bytesOf("worker")], { type: "text/javascript" });
  engine.worker = new Worker(URL.createObjectURL(source));
  engine.worker.onmessage = ({ data: { requestId, type, data } }) => {
    const request = engine.waiting.get(requestId);
    if (!request || type === "INSTANTIATE_PROGRESS") return;
    engine.waiting.delete(requestId);
    if (type === "ERROR") request.reject(new Error(data.message));
    else request.resolve(data);
  };
  const wasm = await bytesOf("wasm");
  engine.worker.postMessage(wasm, [wasm]);
  await sendToEngine("INSTANTIATE", ["data:application/wasm,", null]);
  await sendToEngine("OPEN", { filesystem: FILE_SYSTEM });
  engine.connection = await sendToEngine("CONNECT", null);
  await registerTurns("games.duckdb");
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

// Runs the query in the box and gives the lines of its result to `use`; one query at a time.
async function runSql(use) {
  if ($("sql").getAttribute("aria-busy") === "true") return;
  $("sql-said").textContent = engine.connection === null ? "Starting DuckDB …" : "";
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
  if (hasFiles() && location.protocol === "file:") {
    $("sql-said").textContent = "To use SQL, open this page through a web server, such as python -m http.server.";
    $("sql-run").disabled = $("sql-csv").disabled = true;
  }
  const save = (lines) => {
    const text = lines.map((line) => `${line.map(csvCell).join(",")}\r\n`).join("");
    download("result.csv", URL.createObjectURL(new Blob([text], { type: "text/csv" })));
    $("sql-said").textContent = "Saved";
  };
  $("sql-run").onclick = () => runSql(showLines);
  $("sql-csv").onclick = () => runSql(save);
  $("sql-take").onclick = () => { $("sql-text").value = sqlOf(now.question); };
});
