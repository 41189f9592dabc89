// Plays past events over the scene, one beat at a time, in sync for everybody. Never blocks taps.
// The server pushes beats into #beats with their display times; a page that loads late shows the
// rest.
(() => {
  "use strict";

  const SHORTEST_MS = 150; // beats that would be shown for less are dropped
  const CHAT_MS = 5000;
  const $ = (selector, from = document) => from.querySelector(selector);
  let queue = [];
  let timer = 0;
  let playing = false;
  let acts = 0; // acts received
  let shown = 0; // the act being shown

  const read = (item) => ({
    text: item.textContent,
    beside: item.dataset.beside ?? item.textContent, // shown below a drawing, which shows the rest
    from: Number(item.dataset.from),
    ms: Number(item.dataset.ms),
    sound: item.dataset.sound ?? "",
    seat: item.dataset.seat ?? "",
    stage: item.dataset.stage ?? "",
    flies: item.dataset.flies ?? "",
    told: Number(item.dataset.told ?? 0),
    matters: "matters" in item.dataset,
  });
  let untold = []; // beats to announce when they are shown, or when the drawing is skipped

  const tell = (beat) => {
    if (beat.matters) document.dispatchEvent(new CustomEvent("parlour:tell", { detail: beat.text }));
  };

  // Queue new beats. Drop pending beats that are due at the same time as the first new one, or later.
  const take = () => {
    const list = $("#beats");
    if (!list?.firstElementChild) return;
    if ($('[data-told="0"]', list)) skip(); // earlier beats are obsolete
    const templates = [...list.querySelectorAll("template")];
    acts += 1;
    const fresh = [...list.querySelectorAll("li[data-from]")].map((item) => ({ ...read(item), act: acts }));
    list.replaceChildren();
    if (!fresh.length) return;
    const told = Math.max(...fresh.map((beat) => beat.told));
    const first = fresh.find((beat) => beat.stage);
    let isHeld = told > serverNow() + SHORTEST_MS && !document.hidden;
    if (isHeld) {
      first.templates = templates;
      const detail = { begins: first.from - serverNow(), told: told - serverNow() };
      isHeld = !document.dispatchEvent(new CustomEvent("parlour:hold", { detail, cancelable: true })); // cancelled if moments.js is loaded
    }
    for (const beat of fresh) {
      if (isHeld && beat.from > first.from) untold.push(beat);
      else tell(beat);
    }
    if (document.hidden) return;
    queue = [...queue.filter((beat) => beat.from < fresh[0].from), ...fresh];
    if (!playing) next();
  };

  // Milliseconds left to show the first beat. A beat that arrives early is shown no longer than others.
  const left = () => {
    const [beat, after] = queue;
    return Math.min(beat.ms, Math.min(beat.from + beat.ms, after?.from ?? Infinity) - serverNow());
  };

  const next = () => {
    clearTimeout(timer);
    while (queue.length && left() < SHORTEST_MS) queue.shift();
    playing = queue.length > 0;
    const early = playing && queue[0].stage ? queue[0].from - serverNow() : 0;
    if (early > SHORTEST_MS) { // a drawing begins for everybody at the same time
      timer = setTimeout(next, early);
      show(null);
    } else if (playing) {
      timer = setTimeout(next, left());
      show(queue.shift());
    } else {
      show(null);
    }
  };

  const show = (beat) => {
    for (const seat of document.querySelectorAll(".seat.speaks")) seat.classList.remove("speaks");
    document.body.classList.toggle("is-showing", Boolean(beat));
    const box = $("#beat");
    if (!box) return;
    $("#skip")?.toggleAttribute("hidden", !beat);
    if (!beat) {
      box.replaceChildren();
      document.dispatchEvent(new Event("parlour:shown"));
      return;
    }
    if (beat.act !== shown) document.dispatchEvent(new Event("parlour:shown")); // remove the drawing of another act
    shown = beat.act;
    const words = document.body.classList.contains("is-moment") ? beat.beside : beat.text;
    if (!words) box.replaceChildren();
    else if (words !== box.textContent) {
      const headline = document.createElement("p"); // a new element restarts the animation
      headline.className = words.length > 60 ? "headline long" : "headline";
      headline.dataset.sound = beat.sound;
      headline.textContent = words;
      headline.style.setProperty("--ms", `${beat.ms}ms`);
      box.replaceChildren(headline);
    }
    if (beat.stage && untold.includes(beat)) untold.splice(untold.indexOf(beat), 1).forEach(tell);
    if (beat.seat) $(`#seat-${beat.seat}`)?.classList.add("speaks");
    const times = { late: serverNow() - beat.from, held: beat.told - beat.from };
    document.dispatchEvent(new CustomEvent("parlour:beat", { detail: { ...beat, ...times } }));
  };

  // Jump to now: an answer makes earlier beats obsolete.
  const skip = () => {
    queue = [];
    next();
    document.dispatchEvent(new Event("parlour:skip"));
  };

  document.addEventListener("htmx:after:ws:message", take);
  document.addEventListener("visibilitychange", () => { if (document.hidden) skip(); });
  document.addEventListener("click", (event) => { if (event.target.closest?.("[data-skip]")) skip(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && playing) skip(); });
  document.addEventListener("parlour:told", () => untold.splice(0).forEach(tell));
  document.addEventListener("submit", (event) => { if (event.target.closest("#actions, #skip-ahead")) skip(); });

  // Fetch drawings and sounds after the page has loaded: it is usable without them.
  window.addEventListener("load", () => document.head.append(document.importNode($("#later").content, true)));

  // --- chat messages shown briefly at a seat ---------------------------------------------------

  const numberOf = (line) => Number(line.id?.replace("said-", "")) || 0;
  let heard = 0;
  let talking = 0;

  // By class: an update may have reused the element.
  const hush = () => { for (const old of document.querySelectorAll(".bubble.talk")) old.remove(); };

  const talk = (line) => {
    const name = $("strong", line)?.textContent;
    const seat = [...document.querySelectorAll(".seat")].find((one) => $(".name", one)?.textContent === name);
    const said = [...line.children].findLast((part) => part.matches("span:not([class])"))?.textContent;
    hush();
    if (!seat || !said) return;
    const bubble = document.createElement("span");
    bubble.className = "bubble talk";
    bubble.setAttribute("aria-hidden", "true"); // announced by the chat
    bubble.textContent = said;
    seat.append(bubble);
    if (getComputedStyle(seat).position === "relative" && bubble.scrollHeight > bubble.clientHeight + 1) {
      bubble.textContent = `${name}: ${said}`; // the row is too crowded: use the table's rim
      $(".stage").append(bubble);
    }
    clearTimeout(talking);
    talking = setTimeout(hush, CHAT_MS);
  };

  document.addEventListener("DOMContentLoaded", () => {
    const lines = $("#chat-lines");
    if (!lines) return;
    const newest = () => Math.max(0, ...[...lines.children].map(numberOf));
    let first = !lines.childElementCount; // the first lines to arrive are old messages
    heard = newest();
    new MutationObserver(() => {
      const line = lines.lastElementChild;
      if (line && numberOf(line) > heard && !first && !document.hidden) talk(line);
      first = false;
      heard = Math.max(heard, newest());
    }).observe(lines, { childList: true });
  });
})();
