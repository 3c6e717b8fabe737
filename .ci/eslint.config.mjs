// What a well-kept script of a page avoids. The pages' scripts are linted as they run: put together.
import js from "@eslint/js";

const BROWSER = [
  "addEventListener", "atob", "Blob", "btoa", "clearTimeout", "CompressionStream", "console", "CSS",
  "DecompressionStream", "document",
  "Element", "Event", "getComputedStyle", "history", "innerHeight", "innerWidth", "localStorage", "location",
  "matchMedia", "MessageChannel", "navigator", "parent", "performance", "Plotly", "requestAnimationFrame",
  "ResizeObserver", "Response", "setTimeout", "TextDecoder", "TextEncoder", "URL", "URLSearchParams", "window",
  "Worker",
];

export default [
  js.configs.recommended,
  {
    languageOptions: { sourceType: "script", globals: Object.fromEntries(BROWSER.map((name) => [name, "readonly"])) },
    rules: { eqeqeq: "error", "no-var": "error", "prefer-const": ["error", { destructuring: "all" }],
      "no-unused-vars": ["error", { varsIgnorePattern: "^_$" }] },
  },
  {
    // A quiz includes the scripts of a game's board, but not all that these are for.
    files: ["quiz.js"],
    rules: { "no-unused-vars": ["error", { varsIgnorePattern:
      "^(_|capital|cardText|ofTurns|partNodes|shownMarks|sign|textOf|titleOf|turnWord)$" }] },
  },
  {
    // An explorer needs no sums of sums, and no quantiles; as a folder, it loads files.
    files: ["explore.js"],
    languageOptions: { globals: { fetch: "readonly" } },
    rules: { "no-unused-vars": ["error", { varsIgnorePattern: "^(_|plus|less|quantile)$" }] },
  },
];
