// Numbers, colours and Python literals.
"use strict";

// A number with its sign; as in `shown`, a small number has more decimals.
function signed(value, decimals) {
  const text = shown(Math.abs(value), decimals);
  return Number(text) === 0 ? text : (value > 0 ? "+" : MINUS) + text;
}

const cut = (text, most) => ([...text].length > most ? `${[...text].slice(0, most - 1).join("")}…` : text);

const COLOURS = ["panel", "raised", "rule", "faint", "ink1", "ink2", "ink3", "good", "bad"];
const palette = () => coloursOf(COLOURS);

// A text or an integer as a literal of Python.
function pythonLiteral(value) {
  if (typeof value === "number") return String(value);
  return JSON.stringify(value).replace(/[\p{C}\u2028\u2029]/gu, (one) => {
    const code = one.codePointAt(0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}
