// Keys: Ctrl+Enter (or ⌘+Enter) hands in from a text box; in a finding, the key written on a button
// presses it. No single key does anything while the focus is in a text field.
"use strict";
document.addEventListener("keydown", (event) => {
  const field = event.target.closest?.("textarea, input:not([type=radio], [type=checkbox]), select, [contenteditable]");
  if (field) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && field.form) {
      event.preventDefault();
      field.form.requestSubmit();
    }
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const button = event.target.closest?.(".finding")?.querySelector(`button[data-key="${CSS.escape(event.key)}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});
