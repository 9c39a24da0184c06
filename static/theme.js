// Light or dark: the system's choice until the button says otherwise; kept in this browser only.
"use strict";
(() => {
  const root = document.documentElement;
  const kept = () => {
    try { return localStorage.getItem("theme"); } catch { return null; }
  };
  const keep = (theme) => {
    try { localStorage.setItem("theme", theme); } catch { /* it holds for this page */ }
  };
  const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;
  if (kept()) root.dataset.theme = kept();

  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    button.hidden = false;
    button.addEventListener("click", () => {
      const now = root.dataset.theme || (dark() ? "dark" : "light");
      root.dataset.theme = now === "dark" ? "light" : "dark";
      keep(root.dataset.theme);
    });
  });
})();
