// After htmx has changed a part of the page: put the focus where the reader goes on, and say what
// came of it in the one live region. Other scripts speak through the event "ridgepoint:say".
"use strict";
(() => {
  const UNREACHED = "The server did not answer. Nothing is lost here: try it again.";
  let spoken = "";

  const say = (text, error = false) => {
    const live = document.getElementById("live");
    live.classList.toggle("error", error);
    live.textContent = text;
  };

  // What the server says of its error, in the part or page that it answered with.
  const told = (text) => {
    const page = new DOMParser().parseFromString(text || "", "text/html");
    return page.querySelector(".error p")?.textContent.trim();
  };

  document.addEventListener("ridgepoint:say", (event) => say(event.detail.text, event.detail.error));

  // The element that was pressed may be gone after the swap, so its wish is noted before.
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    ctx.focusThen = ctx.sourceElement.dataset.thenFocus;
  });

  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    if (!ctx.focusThen || ctx.response?.status >= 400) return;
    const next = document.querySelector(ctx.focusThen) ?? ctx.target?.querySelector("h2[tabindex]");
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "nearest" });
    const news = document.querySelector("[data-say]")?.dataset.say ?? "";
    if (news !== spoken) say(news);
    else if (document.querySelector(".live.error")) say("");
    spoken = news;
  });

  document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => {
    if (ctx.focusThen) say(told(ctx.text) || UNREACHED, true);
  });

  document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
    if (ctx?.focusThen && !ctx.response) say(UNREACHED, true);
  });

  // An error stands over the foot of the page: it goes when the learner types on.
  document.addEventListener("input", () => {
    if (document.querySelector(".live.error")) say("");
  });
})();
