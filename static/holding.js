// Shows a secret only while its button is held. A tap, Enter or Space shows it until the next one.
(() => {
  "use strict";

  const TAP_MS = 300; // longer presses close on release
  const LEAST = 520; // minimum height of a card; it may extend above the scene
  const held = () => document.querySelector("[popover=manual]:popover-open");
  let since = 0;
  let pressed = null;

  const close = () => held()?.hidePopover();

  // Place the card over the scene by variables of the page: updates remove styles set on the card.
  const place = (card) => {
    const zoom = card.parentElement.currentCSSZoom ?? 1; // hands are larger beside a big screen
    const scene = document.querySelector(".scene").getBoundingClientRect();
    const top = Math.max(8, Math.min(scene.top, scene.bottom - LEAST));
    const { clientWidth, clientHeight, style } = document.documentElement;
    const inset = [top, clientWidth - scene.right, clientHeight - scene.bottom, scene.left];
    style.setProperty("--below-scene", `${inset[2]}px`);
    style.setProperty("--over-scene", inset.map((length) => `${length / zoom}px`).join(" "));
  };

  document.addEventListener("pointerdown", (event) => {
    const button = event.target.closest?.("[data-holds]");
    if (!button || event.button) return;
    const isOpen = Boolean(held());
    pressed = button;
    since = isOpen ? 0 : event.timeStamp;
    if (!isOpen) button.popoverTargetElement?.showPopover();
  });
  const release = (event) => {
    if (!pressed) return;
    pressed = null;
    if (event.timeStamp - since > TAP_MS) close();
  };
  document.addEventListener("pointerup", release);
  document.addEventListener("pointercancel", () => { pressed = null; close(); });
  document.addEventListener("click", (event) => { // pointers are handled above; keys use the button's default
    if (event.detail && event.target.closest?.("[data-holds]")) event.preventDefault();
  });
  document.addEventListener("contextmenu", (event) => { if (event.target.closest?.("[data-holds]")) event.preventDefault(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  document.addEventListener("visibilitychange", () => { if (document.hidden) close(); });
  for (const away of ["blur", "pagehide", "resize"]) window.addEventListener(away, close);

  document.addEventListener("beforetoggle", (event) => {
    if (event.target.popover === "manual" && event.newState === "open") place(event.target);
  }, true);
  document.addEventListener("toggle", (event) => {
    if (event.target.popover !== "manual") return;
    const isOpen = event.newState === "open";
    document.body.classList.toggle("is-looking", isOpen);
    if (!isOpen) document.getElementById("deal-seen")?.requestSubmit();
  }, true);
})();
