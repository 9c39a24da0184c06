// Keeps the draft on the server as it is typed. The newest text wins; text from elsewhere that it
// takes the place of is shown, so that nothing is lost silently.
"use strict";
(() => {
  const PAUSE = 700; // ms without a key before saving
  const LONGEST = 3000; // ms of typing after which it is saved anyway
  const RETRY = 4000;

  let timer = null, oldestUnsaved = 0, saving = false, trouble = "", savedAt = 0, ended = false;

  const box = () => document.querySelector("textarea[data-draft]");
  const seen = () => document.getElementById("draft-seen");

  const note = () => {
    const element = document.getElementById("draft-note");
    if (!element) return;
    if (!savedAt && element.dataset.age) savedAt = Date.now() - 1000 * Number(element.dataset.age);
    const text = trouble || (oldestUnsaved ? "not saved yet" : savedAt ? `draft saved ${ago()}` : "kept on the server as you type");
    if (element.textContent !== text) element.textContent = text;
  };

  const ago = () => {
    const seconds = Math.round((Date.now() - savedAt) / 1000);
    if (seconds < 60) return `${seconds} s ago`;
    return seconds < 3600 ? `${Math.floor(seconds / 60)} min ago` : `${Math.floor(seconds / 3600)} h ago`;
  };

  const schedule = (wait) => {
    clearTimeout(timer);
    timer = setTimeout(save, wait);
  };

  const save = async () => {
    const typed = box();
    if (!typed || saving || ended || !oldestUnsaved) return;
    saving = true;
    oldestUnsaved = 0;
    try {
      await keep(typed, typed.value);
    } catch {
      oldestUnsaved ||= Date.now();
      trouble = "not saved: the server did not answer, trying again";
      schedule(RETRY);
    } finally {
      saving = false;
      if (oldestUnsaved && !trouble) schedule(PAUSE);
      note();
    }
  };

  const keep = async (typed, text) => {
    const answer = await fetch(typed.dataset.draft, {
      method: "PUT",
      keepalive: text.length < 20000, // what a page that is being left may still send
      headers: { Accept: "application/json" },
      body: new URLSearchParams({ text, seen: seen().value }),
    });
    if (answer.status >= 500) throw new Error("server");
    if (!answer.ok) return refused(answer);
    const kept = await answer.json();
    seen().value = kept.version;
    savedAt = Date.now();
    trouble = "";
    if (kept.replaced) other(kept.replaced);
  };

  const refused = async (answer) => {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    trouble = `not saved: ${page.querySelector(".error p")?.textContent.trim() ?? answer.status}`;
    ended = answer.status === 409;
  };

  const other = (text) => {
    const element = document.getElementById("draft-other");
    element.querySelector("blockquote").textContent = text;
    element.hidden = false;
    document.dispatchEvent(new CustomEvent("ridgepoint:say", { detail: { text: "Another tab had saved other text. It is shown below your answer." } }));
  };

  // Back in this tab with nothing unsaved: show what another tab or device saved meanwhile.
  const catchUp = async () => {
    const typed = box();
    if (!typed || oldestUnsaved || saving) return;
    const answer = await fetch(typed.dataset.draft, { headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    const kept = await answer.json();
    if (!kept.open) trouble = "this answer was handed in or given up elsewhere: reload the page to go on";
    else if (kept.version !== seen().value && !oldestUnsaved) {
      typed.value = kept.text;
      seen().value = kept.version;
      savedAt = Date.now();
      trouble = "newer text from another tab or device is in the box";
    }
    note();
  };

  document.addEventListener("input", ({ target }) => {
    if (target !== box()) return;
    trouble = ended ? trouble : "";
    oldestUnsaved ||= Date.now();
    schedule(Math.max(0, Math.min(PAUSE, LONGEST - (Date.now() - oldestUnsaved))));
    note();
  });

  document.addEventListener("click", ({ target }) => {
    const element = document.getElementById("draft-other");
    if (!element || !element.contains(target.closest?.("button"))) return;
    const typed = box();
    typed.value = `${typed.value.trimEnd()}\n\n${element.querySelector("blockquote").textContent}`;
    element.hidden = true;
    typed.dispatchEvent(new Event("input", { bubbles: true }));
    typed.focus();
  });

  // A new attempt in the same page starts from what the server wrote.
  document.addEventListener("htmx:after:swap", () => {
    const typed = box();
    if (typed?.dataset.draft === current) return;
    current = typed?.dataset.draft;
    [oldestUnsaved, savedAt, trouble, ended] = [0, 0, "", false];
    note();
  });
  let current = box()?.dataset.draft;

  document.addEventListener("visibilitychange", () => (document.hidden ? save() : catchUp().catch(() => {})));
  addEventListener("pagehide", save);
  setInterval(note, 1000);
  note();
})();
