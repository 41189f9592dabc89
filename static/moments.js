// Shows a drawing for one act at a time. Updates of the page are held back until the time `told`, at
// which the drawing shows the result. A drawing consists of templates with start times. Templates
// with `data-after` are added that many milliseconds after the result.
(() => {
  "use strict";

  const SOON_MS = 50; // results due by then are shown when the drawing ends
  const NARROW = matchMedia("(max-width: 39.99rem)");
  const ALONE_FOR_MS = 1000; // the drawing tells the result before dock and log repeat it
  const AT_ONCE = new Set(["beats", "chat-lines", "reacted", "notice", "vote", "luck"]);
  const CALM = matchMedia("(prefers-reduced-motion: reduce)");
  const $ = (selector, from = document) => from.querySelector(selector);
  const table = $("#table");
  const box = $("#moment");
  const dock = $(".dock");
  const call = $("#call");
  let waiting = []; // held frames, with the times at which to apply them
  let coming = 0; // when to apply the next frame that arrives
  let timer = 0;
  let answer = []; // templates to add with the result, or later
  let reads = false; // whether the drawing is one to read
  let until = 0; // when the result is shown
  let timers = [];
  let focused = null;

  const isHeld = () => coming > 0 || waiting.length > 0;

  const fold = (held) => {
    if (document.body.classList.toggle("is-held", held) && dock?.contains(document.activeElement)) focused = document.activeElement;
    for (const part of dock?.children ?? []) if (part !== call) part.inert = held;
    if (call) call.hidden = !held;
    if (held || !focused) return;
    (focused.isConnected ? focused : $("#actions-heading"))?.focus({ preventScroll: true });
    focused = null;
  };

  // Apply a frame as the htmx extension would.
  const open = (text) => {
    htmx.swap({ sourceElement: table, target: table, swap: "none", text, transition: false });
    htmx.trigger(table, "htmx:after:ws:message", { message: { text } });
  };

  const look = (held = isHeld()) => {
    clearTimeout(timer);
    const now = performance.now();
    if (coming && coming <= now) coming = 0;
    const due = [];
    while (waiting.length && waiting[0].told <= now) due.push(waiting.shift());
    if (held && !isHeld()) {
      tell();
      fold(false);
      document.dispatchEvent(new Event("parlour:told"));
    }
    const logged = $("#log-lines")?.lastElementChild;
    for (const { text } of due) open(text);
    if (due.length) for (let line = logged?.nextElementSibling; line; line = line.nextElementSibling) line.classList.add("fresh");
    if (due.length && document.body.classList.contains("is-moment")) place();
    const next = Math.min(coming || Infinity, waiting[0]?.told ?? Infinity);
    if (next < Infinity) timer = setTimeout(() => look(), next - performance.now());
  };

  const openBy = (moment) => {
    if (!isHeld()) return;
    if (coming <= moment + 1) coming = 0;
    for (const frame of waiting) if (frame.told <= moment + 1) frame.told = 0;
    look(true);
  };
  const openAll = () => openBy(Infinity);

  document.addEventListener("parlour:hold", (event) => {
    event.preventDefault(); // tells the sender that updates are held
    const { begins, told } = event.detail;
    const start = performance.now() + begins;
    for (const frame of waiting) frame.told = Math.min(frame.told, start);
    coming = performance.now() + told;
    fold(true);
    look();
  });

  document.addEventListener("htmx:before:ws:message", (event) => {
    const { text, json } = event.detail.message;
    if (event.target !== table || json || !isHeld()) return;
    const targets = [...text.matchAll(/hx-target="#([\w-]+)"/g)];
    if (targets.length && targets.every(([, id]) => AT_ONCE.has(id))) return;
    if (text.includes('data-told="0"')) { // a pause, or the match is skipped to its end
      openAll();
      return;
    }
    event.preventDefault();
    waiting.push({ text, told: coming });
    coming = 0;
    look();
  });

  // A new connection sends the whole page.
  document.addEventListener("htmx:ws:close", (event) => {
    if (event.target !== table || !isHeld()) return;
    waiting = [];
    coming = 0;
    look(true);
  });
  document.addEventListener("parlour:skip", () => {
    if (isHeld() && reads) $("#deal-seen")?.requestSubmit(); // if everybody skips, nobody waits
    openAll();
  });

  // --- the drawing ---------------------------------------------------------------------------------

  // Reduce the type of elements marked `data-fits` until they are not cut. A big screen chooses its own.
  const fit = () => {
    for (const one of document.querySelectorAll("body:not(.at-screen) #moment [data-fits]")) {
      one.style.fontSize = "";
      let size = parseFloat(getComputedStyle(one).fontSize);
      while (size > 9 && one.scrollHeight > one.clientHeight) one.style.fontSize = `${(size *= 0.95)}px`;
    }
  };

  // Cover the scene. Until the result is shown, cover the dock on phones too, except for one line.
  const place = () => {
    const [stage, scene] = [box.parentElement, $(".scene")];
    const [around, within, look] = [stage.getBoundingClientRect(), scene.getBoundingClientRect(), getComputedStyle(scene)];
    const bottom = isHeld() && call && NARROW.matches ? call.getBoundingClientRect().top : within.bottom;
    Object.assign(box.style, {
      left: `${within.left - around.left}px`,
      top: `${within.top - around.top}px`,
      width: `${within.width}px`,
      height: `${bottom - within.top}px`,
      border: look.border,
      borderRadius: look.borderRadius,
    });
    stage.style.setProperty("--foot", `${around.bottom - bottom}px`);
    fit();
  };

  const clear = () => {
    for (const one of timers) clearTimeout(one);
    timers = [];
    answer = [];
    box?.replaceChildren();
    document.body.classList.remove("is-moment", "is-told", "is-fresh");
  };

  // Set `--rank` on elements that belong to seats (`data-seat`): their order as the viewer sees them.
  const rank = () => {
    const places = [...document.querySelectorAll(".seat")].map(({ id }) => id.replace("seat-", ""));
    const pieces = [...box.querySelectorAll("[data-seat]")];
    const drawn = new Set(pieces.map(({ dataset }) => dataset.seat));
    const order = places.filter((seat) => drawn.has(seat));
    for (const one of pieces) one.style.setProperty("--rank", order.indexOf(one.dataset.seat));
  };

  const isRead = (piece) => "read" in piece.dataset; // a still picture with a sentence to read

  const draw = ({ content }) => {
    box.append(content.cloneNode(true));
    rank();
    const seat = $(".seat.you")?.id.replace("seat-", "s"); // the seat addressed as "You"
    if (seat) for (const said of box.querySelectorAll(`[data-${seat}]`)) said.textContent = said.dataset[seat];
    fit();
  };

  // A template may have sounds (`data-sound`), and vibration for all viewers (`data-felt`) or one seat
  // (`data-felt-3`).
  const hear = ({ dataset }) => {
    const words = (text) => text?.split(" ") ?? [];
    const seat = $(".seat.you")?.id.replace("seat-", "felt-");
    const felt = words(dataset[seat] ?? dataset.felt).map(Number);
    document.dispatchEvent(new CustomEvent("parlour:piece", { detail: { sounds: words(dataset.sound), felt } }));
  };

  const add = (piece) => {
    draw(piece);
    hear(piece);
    if (!isRead(piece)) return;
    const detail = [...piece.content.querySelectorAll("p")].map((words) => words.textContent).join(": ");
    document.dispatchEvent(new CustomEvent("parlour:tell", { detail }));
  };

  const tell = () => {
    if (!answer.length || !document.body.classList.contains("is-moment")) return;
    document.body.classList.add("is-told", "is-fresh");
    timers.push(setTimeout(() => document.body.classList.remove("is-fresh"), ALONE_FOR_MS));
    const now = answer.filter(({ dataset }) => !dataset.after);
    now.forEach(draw);
    hear(now.at(-1));
    for (const one of answer) if (one.dataset.after) timers.push(setTimeout(add, Number(one.dataset.after), one));
    answer = [];
  };

  document.addEventListener("parlour:beat", ({ detail: beat }) => {
    if (call) call.firstElementChild.textContent = beat.text;
    if (!beat.stage) { // this beat states the drawing's result
      openBy(performance.now() - beat.late);
      if (performance.now() - beat.late >= until - 2) tell(); // not between two drawings
      return;
    }
    if (!beat.templates || !box) return;
    clear();
    reads = beat.templates.some(isRead);
    until = performance.now() - beat.late + beat.held;
    box.style.setProperty("--ms", `${beat.held}ms`);
    document.body.classList.add("is-moment");
    place();
    for (const one of beat.templates) {
      const left = Number(one.dataset.at) - Math.max(0, beat.late);
      if ("told" in one.dataset || one.dataset.after) answer.push(one);
      else if (left <= 0) add(one);
      else if (!CALM.matches || isRead(one)) timers.push(setTimeout(add, left, one));
      else {
        answer.push(one); // reduced motion: two still pictures
        timers.push(setTimeout(hear, left, one));
      }
    }
  });
  document.addEventListener("parlour:shown", () => {
    openBy(performance.now() + SOON_MS);
    clear();
  });
  // --- flying tokens: "coin:3::2" is three coins from the middle of the table to seat 2 ---

  const FLIGHT_MS = 750;
  const APART_MS = 110;

  const middle = (seat) => {
    const place = $(seat ? `#seat-${seat} .face` : ".scene")?.getBoundingClientRect();
    return place && [place.left + place.width / 2, place.top + place.height / 2];
  };

  const fly = (what, [left, top], [toLeft, toTop], delay) => {
    const thing = Object.assign(document.createElement("i"), { className: `flying ${what}` });
    thing.setAttribute("aria-hidden", "true");
    document.body.append(thing);
    const at = (x, y, scale) => ({ transform: `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})` });
    const above = Math.min(top, toTop, (top + toTop) / 2 - 60);
    const way = [{ ...at(left, top, 0.5), opacity: 0 }, { ...at((left + toLeft) / 2, above, 1.3), opacity: 1 }, at(toLeft, toTop, 0.8)];
    const flight = thing.animate(way, { duration: FLIGHT_MS, delay, easing: "ease-in-out", fill: "both" });
    flight.onfinish = () => thing.remove();
  };

  document.addEventListener("parlour:beat", ({ detail: { flies } }) => {
    if (!flies || CALM.matches || document.hidden) return;
    let nth = 0;
    for (const flight of flies.split(" ")) {
      const [what, many, from, to] = flight.split(":");
      const [start, end] = [middle(from), middle(to)];
      for (let left = Number(many); start && end && left > 0; left -= 1) fly(what, start, end, APART_MS * nth++);
    }
  });

  // --- the end -------------------------------------------------------------------------------------

  const PIECES = 60;
  const ALONE_MS = 1200; // winner alone, before podium and evening score
  const STEP_MS = 250; // per point of the evening score
  const isOver = () => Boolean($("#ending:not([hidden]) .champions"));
  let cheered = isOver(); // late viewers have missed it

  // Count the evening score up from its old to its new values.
  const count = () => {
    for (const won of document.querySelectorAll("#ending .evening .won:has(small)")) {
      const [text, small] = [won.firstChild, won.lastElementChild];
      const [points, newest] = [Number(text.data), Number(small.textContent)];
      for (let step = 0; step <= newest; step += 1) {
        rising.push(setTimeout(() => { text.data = `${points - newest + step}`; }, step * STEP_MS));
      }
    }
  };
  let rising = [];

  const rise = () => {
    document.body.classList.replace("is-crowning", "is-rising");
    count();
  };

  const calm = () => {
    for (const one of rising) clearTimeout(one);
    rising = [];
    document.body.classList.remove("is-crowning", "is-rising");
  };

  const cheer = () => {
    if (!isOver()) {
      cheered = false;
      calm();
      $(".confetti")?.remove();
    } else if (!cheered && !document.body.classList.contains("is-showing") && !CALM.matches) {
      cheered = true;
      document.body.classList.add("is-crowning");
      rising.push(setTimeout(rise, ALONE_MS));
      const falling = Object.assign(document.createElement("div"), { className: "confetti" });
      falling.setAttribute("aria-hidden", "true");
      for (let nth = 0; nth < PIECES; nth += 1) {
        const piece = document.createElement("i");
        piece.style.left = `${Math.random() * 100}%`;
        piece.style.setProperty("--fall", `${20 + Math.random() * 80}cqh`);
        piece.style.setProperty("--turn", `${Math.random() * 720 - 360}deg`);
        piece.style.animationDelay = `${Math.random() * 0.8}s`;
        falling.append(piece);
      }
      box.parentElement.append(falling);
    }
  };
  document.addEventListener("htmx:after:ws:message", cheer);
  document.addEventListener("parlour:shown", cheer);
  window.addEventListener("resize", () => { if (document.body.classList.contains("is-moment")) place(); });
})();
