// A menu of options under a word, for mouse, arrow keys and typing.
"use strict";

const SEARCHED = 9; // menus with at least this number of options have a search field
let typed = { text: "", at: 0 };

// Opens the menu under the element `anchor`. `sections` are [heading, options]; an option has `text`, and may have
// `note`, `count`, `isChosen`. `pick` gets the chosen option; with `isMulti` the menu stays open.
function openMenu({ label, sections, isMulti = false, pick, foot = [], anchor }) {
  const menu = $("menu");
  const options = sections.flatMap(([, some]) => some);
  const nodes = new Map(options.map((option, i) => [option, optionNode(option, i)]));
  const list = element("div", { id: "options", role: "listbox", tabIndex: 0, "aria-label": label,
    "aria-multiselectable": String(isMulti) }, ...sections.map(([heading, some]) => element("div",
    { role: "group", "aria-label": heading || label },
    heading ? element("p", { role: "presentation" }, heading) : null, ...some.map((option) => nodes.get(option)))));
  const search = options.length >= SEARCHED ? element("input", { type: "text", role: "combobox", placeholder: "Search",
    autocomplete: "off", spellcheck: false, "aria-label": `Search: ${label}`, "aria-controls": "options",
    "aria-expanded": "true", "aria-autocomplete": "list" }) : null;
  // On a phone, a focused field would open the keyboard over the list.
  const field = search && !matchMedia("(pointer:coarse)").matches ? search : list;
  let active = options.find(({ isChosen }) => isChosen) ?? options[0];
  const shownOptions = () => options.filter((option) => !nodes.get(option).hidden);
  const go = (option) => {
    if (active) nodes.get(active).classList.remove("active");
    active = option;
    if (!option) return field.removeAttribute("aria-activedescendant");
    nodes.get(option).classList.add("active");
    nodes.get(option).scrollIntoView({ block: "nearest" });
    return field.setAttribute("aria-activedescendant", nodes.get(option).id);
  };
  const choose = (option) => {
    if (!option) return;
    if (isMulti) {
      option.isChosen = !option.isChosen;
      nodes.get(option).setAttribute("aria-selected", String(option.isChosen));
      go(option);
    } else menu.hidePopover();
    pick(option);
  };
  for (const option of options) nodes.get(option).onclick = () => choose(option);
  if (search) {
    search.oninput = () => {
      const words = search.value.toLowerCase().split(/\s+/);
      const isFound = ({ text }) => words.every((word) => text.toLowerCase().includes(word));
      for (const option of options) nodes.get(option).hidden = !isFound(option);
      for (const group of list.children) group.hidden = !group.querySelector("[role=option]:not([hidden])");
      go(shownOptions()[0]);
    };
  }
  menu.onkeydown = (event) => {
    if (event.target !== search && event.target !== list) return;
    const some = shownOptions();
    const at = some.indexOf(active);
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8,
      ...(event.target === list ? { Home: 0, End: some.length - 1 } : {}) };
    if (event.key in steps) go(some[Math.min(Math.max(steps[event.key], 0), some.length - 1)]);
    else if (event.key === "Enter" || (event.key === " " && event.target === list)) choose(active);
    else if (event.target === list && event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      go(startingWith(event, some) ?? active);
    } else return;
    event.preventDefault();
  };
  menu.setAttribute("aria-label", label);
  const last = foot.length ? [element("p", { className: "foot" }, ...foot)] : [];
  menu.replaceChildren(...(search ? [search] : []), list, ...last);
  menu.showPopover();
  placeMenu(anchor);
  field.focus({ preventScroll: true });
  go(active);
}

function optionNode({ text, note, count: number, isChosen }, i) {
  return element("div", { id: `option-${i}`, role: "option", className: "option",
    "aria-selected": String(isChosen === true) },
    element("span", { className: "name" }, element("bdi", {}, text), note ? element("small", {}, note) : null),
    number === undefined ? null : element("span", { className: "count" }, number));
}

// The first option that starts with the letters typed within 0.7 s of each other.
function startingWith({ key, timeStamp }, options) {
  typed = { text: (timeStamp - typed.at < 700 ? typed.text : "") + key.toLowerCase(), at: timeStamp };
  return options.find(({ text }) => text.toLowerCase().startsWith(typed.text));
}

function placeMenu(anchor) {
  const { style } = $("menu");
  const { left, bottom } = anchor.getBoundingClientRect();
  const [width, height] = [$("menu").offsetWidth, window.innerHeight];
  const top = Math.min(bottom + 6, Math.max(height - 320, 14));
  style.left = `${Math.max(14, Math.min(left, document.documentElement.clientWidth - width - 14))}px`;
  style.top = `${top}px`;
  style.maxHeight = `${Math.min(height - top - 14, 480)}px`;
}
