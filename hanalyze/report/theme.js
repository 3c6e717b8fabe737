// The button for light and dark; the event "theme" tells scripts that the colours changed.
(() => {
  "use strict";
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme:dark)");
  const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const label = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  const tell = () => { label(); document.dispatchEvent(new Event("theme")); };
  button.onclick = () => { root.dataset.theme = isDark() ? "light" : "dark"; tell(); };
  dark.addEventListener("change", tell);
  label();
})();
