// A big screen: stays awake, reconnects, and plays sound and speech after the first touch (a browser
// rule). The rest works as on a table's page.
(() => {
  "use strict";

  const RETRY_MS = 20000;
  const LONG = { "#status .sentence": 60, "#beat .headline": 42 }; // maximum characters in larger type
  const $ = (selector, from = document) => from.querySelector(selector);
  const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
  const asked = new URLSearchParams(location.search);
  const wanted = (name) => asked.has(name) || localStorage.getItem(`parlour-${name}`) === "yes";

  // --- staying awake and connected ------------------------------------------------------------

  const stayAwake = () => {
    if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {}); // fails on a low battery
  };
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();

  // The server's refusals (too many connections, changed password) may be temporary: retry.
  document.addEventListener("htmx:ws:close", (event) => {
    if (event.detail.code >= 4000) setTimeout(() => location.reload(), RETRY_MS);
  });

  // Long headlines are smaller.
  const fit = () => {
    for (const [words, most] of Object.entries(LONG)) {
      for (const one of $$(words)) one.classList.toggle("long", one.textContent.length > most);
    }
  };
  for (const change of ["htmx:after:ws:message", "parlour:beat"]) document.addEventListener(change, fit);
  fit();

  // --- sound, from the first touch on ------------------------------------------------------------

  const box = $("#to-be-heard");
  const hear = (name) => {
    box.hidden = true;
    localStorage.setItem("parlour-sound", "yes");
    document.body.dataset.sound = "yes";
    document.dispatchEvent(new Event("keydown")); // unlocks the audio of sounds.js
    if (name !== "aloud" || !window.speechSynthesis) return;
    localStorage.setItem("parlour-aloud", "yes");
    speechSynthesis.speak(new SpeechSynthesisUtterance("")); // unlocks speech
    document.body.dataset.aloud = "yes"; // for the scripts of games
    document.dispatchEvent(new Event("parlour:aloud"));
  };
  for (const button of box.children) {
    if (button.dataset.heard === "aloud") button.hidden = !window.speechSynthesis;
    button.addEventListener("click", () => hear(button.dataset.heard));
  }
  box.hidden = false;
  const usual = ["aloud", "sound"].find(wanted);
  if (usual) {
    // If chosen before, sound starts at the first touch anywhere.
    for (const touch of ["pointerup", "keyup"]) {
      document.addEventListener(touch, (event) => { if (!box.hidden && !box.contains(event.target)) hear(usual); });
    }
  }
  (box.querySelector(`[data-heard=${usual ?? "sound"}]`) ?? box.firstElementChild).focus({ preventScroll: true });
})();
