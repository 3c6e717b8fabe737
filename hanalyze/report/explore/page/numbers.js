// Numbers, colours and Python literals.
"use strict";

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

// A literal of Python: a text, or an integer.
function pythonLiteral(value) {
  if (typeof value === "number") return String(value);
  return JSON.stringify(value).replace(/[\p{C}\u2028\u2029]/gu, (one) => {
    const code = one.codePointAt(0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}
