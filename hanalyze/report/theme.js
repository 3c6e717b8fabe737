// The button for light and dark, whose choice is stored; the event "theme" tells scripts that the colours changed.
(() => {
  "use strict";
  const STORE = "hanalyze theme";
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme:dark)");
  const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const label = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  const tell = () => { label(); document.dispatchEvent(new Event("theme")); };
  // A browser may refuse to store data of pages from disk.
  const attempt = (action) => { try { return action(); } catch { return null; } };
  button.onclick = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    attempt(() => localStorage.setItem(STORE, root.dataset.theme));
    tell();
  };
  dark.addEventListener("change", tell);
  const stored = attempt(() => localStorage.getItem(STORE));
  if (stored === "light" || stored === "dark") root.dataset.theme = stored;
  label();
})();
