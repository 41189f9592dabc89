// Cards on a big screen: shows the answers one by one in the prompt, or reads them aloud.
(() => {
  "use strict";

  const READ_MS = 2600; // per answer without speech
  const AGAIN_MS = 5000; // per answer when the answers are shown again during the vote
  const SPOKEN_MOST_MS = 20000; // limit for a voice that never reports its end
  const $ = (selector, from = document) => from.querySelector(selector);
  const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];

  let reading = "";
  let isRead = false; // the drawing has shown the answers of this round
  let timer = 0;
  const isAloud = () => document.body.dataset.aloud === "yes";
  const line = Object.assign(document.createElement("p"), { id: "reading", className: "reading", hidden: true });
  $(".above").append(line);

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
    line.textContent = $(".ballot").dataset.said.replace("%(at)s", at + 1).replace("%(all)s", answers.length);
    const once = { done: false };
    const next = () => {
      if (once.done || round !== reading) return;
      once.done = true;
      clearTimeout(timer);
      timer = setTimeout(() => read(round, at + 1, again), isAloud() && !again ? 700 : 0);
    };
    if (isAloud() && !again) speak(sentence(), next);
    else timer = setTimeout(next, again ? AGAIN_MS : READ_MS);
  };

  const sentence = () => {
    const copy = $("#board .prompt-card").cloneNode(true);
    for (const one of $$(".unseen", copy)) one.remove();
    return copy.textContent.trim();
  };

  // Use the largest type that does not break words of up to 24 letters. Sentences that share a round get the same.
  const fit = () => {
    for (const cards of [$$("#board .prompt-card"), $$("#moment .best:not(.read) > *"), $$("#moment .read:last-child > .prompt-card")]) {
      const sizes = cards.map((card) => {
        const longest = Math.max(...card.textContent.split(/\s/).map((word) => Math.min(word.length, 24)));
        const lines = card.matches(".prompt-card") && cards.length === 1 ? 4 : 2;
        let size = Math.min(card.clientHeight / lines, (card.clientWidth * 1.4) / longest);
        const cut = () => card.scrollHeight > card.clientHeight;
        for (card.style.fontSize = `${size}px`; size > 12 && cut(); card.style.fontSize = `${size}px`) size *= 0.95;
        return size;
      });
      for (const card of cards) card.style.fontSize = `${Math.min(...sizes)}px`;
    }
  };
  window.addEventListener("resize", () => requestAnimationFrame(fit)); // after drawings have been placed
  document.addEventListener("parlour:piece", fit);

  const look = () => {
    const round = $(".ballot")?.closest(".deck-table").id ?? "";
    line.hidden = !round;
    fit();
    if (round === reading) return;
    reading = round;
    clearTimeout(timer);
    if (isAloud()) speechSynthesis.cancel();
    if (round) read(round, 0, isRead);
    isRead = false;
  };
  // The drawing shows each answer for the same time. A voice needs its own time, so it skips the drawing.
  document.addEventListener("parlour:beat", ({ detail: { stage } }) => {
    if (stage !== "reading") return;
    if (isAloud()) setTimeout(() => document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" })));
    else isRead = true;
  });
  document.addEventListener("htmx:after:ws:message", look);
  document.addEventListener("parlour:aloud", () => { if (reading) read(reading, 0, false); });
  look();
})();
