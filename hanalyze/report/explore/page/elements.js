// Elements, numbers and files. Names from logs are inserted as text, never as HTML.
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

const count = (n) => Math.round(n).toLocaleString("en-US");

// Plotly interprets some HTML in its texts, so names are escaped.
const plain = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
  .replace(/\$/g, "&#36;");

// A value above 0 is not shown as 0 if one or two more decimals show it.
function shown(value, decimals) {
  if (value === null || Number.isNaN(value)) return "–";
  const texts = [0, 1, 2].map((more) => value.toFixed(decimals + more));
  const text = texts.find((one) => Number(one) !== 0) ?? texts[0];
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", MINUS);
}

const signed = (value, decimals) => (value > 0 ? "+" : "") + shown(value, decimals);

const cut = (text, most) => ([...text].length > most ? `${[...text].slice(0, most - 1).join("")}…` : text);

const COLOURS = ["panel", "raised", "rule", "faint", "ink1", "ink2", "ink3", "good", "bad"];
function palette() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(COLOURS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

// Plotly starts last, so that readers can use the page earlier.
function startPlotly() {
  const script = element("script");
  script.textContent = $("plotly").textContent;
  $("plotly").remove();
  document.head.append(script);
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

// A literal of Python: a text, or an integer.
function pythonLiteral(value) {
  if (typeof value === "number") return String(value);
  return JSON.stringify(value).replace(/[\p{C}\u2028\u2029]/gu, (one) => {
    const code = one.codePointAt(0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}
