// A big screen: stays awake, reconnects, shows or reads aloud the answers of Cards one by one, and
// plays sound after the first touch (a browser rule). The rest works as on a table's page.
(() => {
  "use strict";

  const READ_MS = 2600; // per answer without speech
  const AGAIN_MS = 5000; // per answer when the answers are shown again during the vote
  const SPOKEN_MOST_MS = 20000; // limit for a voice that never reports its end
  const RETRY_MS = 20000;
  const LONG = 60; // maximum characters of a headline in larger type
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

  // --- reading the answers ----------------------------------------------------------------------

  let reading = "";
  let timer = 0;
  let aloud = false;

  const speak = (text, then) => {
    speechSynthesis.cancel();
    const words = new SpeechSynthesisUtterance(text);
    words.lang = document.documentElement.lang;
    words.rate = 0.95;
    words.addEventListener("end", then, { once: true });
    words.addEventListener("error", then, { once: true });
    timer = setTimeout(then, SPOKEN_MOST_MS);
    speechSynthesis.speak(words);
  };

  const read = (round, at, again) => {
    clearTimeout(timer);
    const answers = $$(".ballot input");
    if (round !== reading || !answers.length) return;
    if (at >= answers.length) return read(round, 0, true);
    answers[at].checked = true;
    answers[at].dispatchEvent(new Event("change", { bubbles: true })); // fills the blanks of the prompt
    fit();
    const line = $("#reading");
    line.textContent = line.dataset.said.replace("%(at)s", at + 1).replace("%(all)s", answers.length);
    const once = { done: false };
    const next = () => {
      if (once.done || round !== reading) return;
      once.done = true;
      clearTimeout(timer);
      timer = setTimeout(() => read(round, at + 1, again), aloud && !again ? 700 : 0);
    };
    if (aloud && !again) speak(sentence(), next);
    else timer = setTimeout(next, again ? AGAIN_MS : READ_MS);
  };

  const sentence = () => {
    const copy = $("#board .prompt-card").cloneNode(true);
    for (const one of $$(".unseen", copy)) one.remove();
    return copy.textContent.trim();
  };

  // Use the largest type that does not break words of up to 24 letters.
  const fit = () => {
    for (const card of $$("#board .prompt-card, #moment .best > *")) {
      const longest = Math.max(...card.textContent.split(/\s/).map((word) => Math.min(word.length, 24)));
      let size = Math.min(card.clientHeight / (card.matches(".prompt-card") ? 4 : 2), (card.clientWidth * 1.4) / longest);
      const cut = () => card.scrollHeight > card.clientHeight;
      for (card.style.fontSize = `${size}px`; size > 12 && cut(); card.style.fontSize = `${size}px`) size *= 0.95;
    }
  };
  window.addEventListener("resize", () => requestAnimationFrame(fit)); // after drawings have been placed
  document.addEventListener("parlour:piece", fit);

  const look = () => {
    const round = $(".ballot")?.closest(".deck-table").id ?? "";
    $("#reading").hidden = !round;
    for (const one of $$("#status .sentence")) one.classList.toggle("long", one.textContent.length > LONG);
    fit();
    if (round === reading) return;
    reading = round;
    clearTimeout(timer);
    if (aloud) speechSynthesis.cancel();
    if (round) read(round, 0, false);
  };
  document.addEventListener("htmx:after:ws:message", look);
  look();

  // --- sound, from the first touch on ------------------------------------------------------------

  const box = $("#to-be-heard");
  const hear = (name) => {
    box.hidden = true;
    localStorage.setItem("parlour-sound", "yes");
    document.body.dataset.sound = "yes";
    document.dispatchEvent(new Event("keydown")); // unlocks the audio of sounds.js
    if (name !== "aloud" || !window.speechSynthesis) return;
    localStorage.setItem("parlour-aloud", "yes");
    aloud = true;
    const round = reading;
    if (round) read(round, 0, false);
    else speechSynthesis.speak(new SpeechSynthesisUtterance("")); // unlocks speech
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
