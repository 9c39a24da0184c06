// The slider of a step's share: shorter = x − x/s, with s from the page. Listens at the document,
// since the page's part is replaced while a run goes.
document.addEventListener("input", (event) => {
  const held = event.target.closest("[data-amdahl]");
  if (!held) return;
  const share = Number(event.target.value) / 100;
  const shorter = share - share / Number(held.dataset.amdahl);
  held.querySelector("output").textContent =
    `${Math.round(share * 100)}\u00a0% of the step: it gets ${(shorter * 100).toFixed(1)}\u00a0% shorter`;
});
