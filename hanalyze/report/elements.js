// Elements, texts and files of the dashboard and the explorer. Names from logs are inserted as text, never as HTML.
"use strict";

const $ = (id) => document.getElementById(id);
const MINUS = "−";

function element(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name in node && name !== "list") node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

// Text with emphasis as nodes: every second part is bold.
const emphasised = (parts) => parts.map((part, i) => (i % 2 ? element("b", {}, part) : part));

// A pattern with its slots filled in. A unit that is a per cent sign follows its number without a space.
const words = (pattern, slots) =>
  pattern.replace(/\{(\w+)\}/g, (_, name) => slots[name] ?? "").replace(/(\d) %/g, "$1%");

// A value above 0 is not shown as 0 if one or two more decimals show it.
function shown(value, decimals) {
  if (value === null || Number.isNaN(value)) return "–";
  const texts = [0, 1, 2].map((more) => value.toFixed(decimals + more));
  const text = texts.find((one) => Number(one) > 0) ?? texts[0];
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", MINUS);
}

const count = (n) => Math.round(n).toLocaleString("en-US");

// Plotly interprets some HTML in its texts, so names are escaped.
const plain = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
  .replace(/\$/g, "&#36;");

// Plotly starts last, so that readers can use the page earlier.
function startPlotly() {
  const script = element("script");
  script.textContent = $("plotly").textContent;
  $("plotly").remove();
  document.head.append(script);
}

// A promise of the bytes of a file that the page contains as base64 of gzip.
function inflated(text) {
  const packed = atob(text);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = packed.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

function download(name, href) {
  element("a", { href, download: name }).click();
}

// A cell of a CSV file: formulas are escaped, as by `hanalyze.cli.frame_text`.
function csvCell(value) {
  if (value === null || typeof value === "number") return String(value ?? "");
  const text = value.replace(/\p{Cc}/gu, " ")
    .replace(/(?:^|;)(?=[ "]*(?:[=+@\uff1d\uff0b\uff20]|[-\uff0d](?!\d+\.?\d*%?(?:;|$))[^;]))/g, "$&'");
  return `"${text.replaceAll('"', '""')}"`;
}

// A part of an address, decoded; unchanged if it is malformed.
function unescaped(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
