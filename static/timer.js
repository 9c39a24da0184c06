// Counts on from the time that the server wrote into #clock. The clock itself is the server's.
"use strict";
(() => {
  const FAR_OVER = 1.5; // as in app/domain/practice.py
  const anchors = new WeakMap(); // clock element -> [what the server wrote, when it was read]
  let hiddenAt = null;

  const clock = () => document.querySelector("#clock[data-running]");
  const told = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

  const elapsed = (element) => {
    let anchor = anchors.get(element);
    if (anchor?.[0] !== element.dataset.elapsed) {
      anchor = [element.dataset.elapsed, Date.now()];
      anchors.set(element, anchor);
    }
    return Number(anchor[0]) + (Date.now() - anchor[1]) / 1000;
  };

  const write = (id, text) => {
    const element = document.getElementById(id);
    if (element.textContent !== text) element.textContent = text;
  };

  const toneOf = (seconds, target) => {
    if (seconds < target) return "in time";
    return seconds < FAR_OVER * target ? "over" : "far over";
  };

  // Each crossing is said once in an attempt, also after a reload.
  const sayOnce = (attempt, tone, text) => {
    const key = `said:${attempt}:${tone}`;
    try {
      if (sessionStorage.getItem(key)) return;
      sessionStorage.setItem(key, "1");
    } catch { /* said again after a reload */ }
    document.dispatchEvent(new CustomEvent("ridgepoint:say", { detail: { text } }));
  };

  const announce = (element, tone, target) => {
    if (tone === "over") sayOnce(element.dataset.attempt, tone, `${target} seconds have passed. Take the time you need.`);
    if (tone === "far over") sayOnce(element.dataset.attempt, tone, `One and a half times ${target} seconds have passed. Nothing is cut off.`);
  };

  const show = () => {
    const element = clock();
    if (!element) return;
    const seconds = elapsed(element);
    const target = Number(element.dataset.target);
    const tone = toneOf(seconds, target);
    write("clock-time", told(seconds));
    document.getElementById("clock-bar").value = Math.min(seconds, target);
    write("clock-word", tone === "in time" ? "" : `${tone}, by ${told(seconds - target)}`);
    if (element.dataset.tone !== tone) element.dataset.tone = tone;
    announce(element, tone, target);
  };

  document.addEventListener("visibilitychange", () => {
    const note = document.getElementById("clock-note");
    if (document.hidden) hiddenAt = Date.now();
    else if (note && clock() && hiddenAt) {
      const away = Math.round((Date.now() - hiddenAt) / 1000);
      if (away >= 1) note.textContent = `The clock went on while this tab was hidden: ${away} s.`;
      show();
    }
  });

  setInterval(show, 250);
  show();
})();
