(() => {
  "use strict";
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme:dark)");
  const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const label = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  button.onclick = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    label();
  };
  dark.onchange = label;
  label();
})();
