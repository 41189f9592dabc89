// The panels beside a table: tabs in wide windows, sheets over the stage in narrow ones.
(() => {
  "use strict";

  const WIDE = matchMedia("(min-width: 60rem) and (min-height: 38.01rem), (min-width: 80rem)");
  const table = document.getElementById("table");
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const panels = new Map(tabs.map((tab) => [tab.dataset.panel, document.getElementById(tab.getAttribute("aria-controls"))]));
  let chosen = "";

  // A wide window always shows a panel: people before a match, then the log.
  // A narrow one shows the stage if none is chosen.
  const usual = () => (document.querySelector("#setup.before") ? "people" : "log");
  const shown = () => chosen || (WIDE.matches ? usual() : "");

  const show = () => {
    const [now, before] = [shown(), table.dataset.shown];
    table.dataset.shown = now;
    for (const tab of tabs) {
      const open = tab.dataset.panel === now;
      tab.setAttribute("aria-selected", String(open));
      tab.tabIndex = open || (!now && tab === tabs[0]) ? 0 : -1;
    }
    for (const [name, panel] of panels) panel.hidden = name !== now;
    if (now !== before) document.dispatchEvent(new CustomEvent("parlour:opened", { detail: panels.get(now)?.id }));
    if (now === "chat") count(0);
  };

  const choose = (name, toggle = true) => {
    chosen = toggle && !WIDE.matches && chosen === name ? "" : name;
    show();
  };

  // Unread chat messages.
  let unread = 0;
  const count = (many) => {
    unread = many;
    const badge = document.querySelector("#tab-chat .unread");
    badge.hidden = !many;
    badge.textContent = many || "";
  };
  const lines = document.getElementById("chat-lines");
  const newest = () => lines.lastElementChild?.id ?? "";
  let last = newest();
  new MutationObserver(() => {
    if (newest() === last) return;
    const ids = [...lines.children].map((line) => line.id);
    const since = ids.length - 1 - ids.indexOf(last);
    if (last && shown() !== "chat") count(unread + since);
    else if (!last && shown() !== "chat") count(unread + ids.length);
    last = newest();
  }).observe(lines, { childList: true });

  // Fade in elements that an update moved or reworded, instead of letting them jump.
  // Skip those that have focus, are being pressed, or are in live regions. A drawing plays on
  // without fading.
  const CALM = matchMedia("(prefers-reduced-motion: reduce)");
  const drawing = document.getElementById("moment");
  const places = new WeakMap();
  const placeOf = (one) => {
    const { offsetLeft: x, offsetTop: y, offsetWidth: width, offsetHeight: height } = one;
    const speaks = [...one.childNodes].some((node) => (node.nodeType === Node.TEXT_NODE && node.data.trim()) || node.localName === "svg");
    const said = speaks ? `${one.textContent.trim()} ${width} ${height}` : "";
    return { x, y, said, seen: width > 0 && height > 0 };
  };
  const animationsOf = (one) => one.getAnimations({ subtree: true }).filter(({ animationName, timeline }) => animationName && timeline === document.timeline);
  const timesOf = (one) => animationsOf(one).map(({ animationName, currentTime, effect: { target, pseudoElement } }) => ({ animationName, currentTime, target, pseudoElement }));
  // Hiding an element has restarted its animations. Set them to their old times.
  const playOn = (one, times) => {
    for (const animation of animationsOf(one)) {
      const { target, pseudoElement } = animation.effect;
      const old = times.find((was) => was.target === target && was.pseudoElement === pseudoElement && was.animationName === animation.animationName);
      const time = old?.currentTime ?? animation.effect.getComputedTiming().endTime;
      if (time < Infinity) animation.currentTime = time;
    }
  };
  const replaceMoved = () => {
    const moved = [];
    const look = (part, put) => {
      for (const one of part.children) {
        if (!(one instanceof HTMLElement) || one.matches(".panel, [popover], [aria-live]")) continue;
        const [before, now] = [places.get(one), placeOf(one)];
        places.set(one, now);
        if (!now.seen && !one.children.length) continue;
        const jumps = before?.seen && now.seen && (one === drawing || before.x !== now.x || before.y !== now.y || before.said !== now.said);
        const held = one.contains(document.activeElement) || one.matches(":active");
        if (jumps && !put && !held) moved.push(one);
        look(one, put || (jumps && !held));
      }
    };
    look(table, false);
    const times = moved.map(timesOf);
    for (const one of moved) one.style.display = "none";
    void table.offsetHeight;
    for (const [at, one] of moved.entries()) {
      one.style.display = "";
      if (!one.getAttribute("style")) one.removeAttribute("style"); // restore the server's markup
      playOn(one, times[at]);
      if (!CALM.matches && one !== drawing) one.animate([{ opacity: 0 }, {}], 150);
    }
  };
  const resized = new ResizeObserver(replaceMoved);
  for (const part of document.querySelectorAll(".scene, .dock")) resized.observe(part);
  document.addEventListener("htmx:after:ws:message", () => queueMicrotask(replaceMoved));

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-panel]");
    if (!button) {
      if (event.target.closest?.(".stage") && !WIDE.matches && chosen) choose("");
      return;
    }
    const isTab = button.getAttribute("role") === "tab";
    choose(button.dataset.panel, isTab);
    if (!isTab) panels.get(button.dataset.panel).querySelector("h2")?.focus({ preventScroll: true });
  });
  document.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(event.target);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (at >= 0 && step) {
      const next = tabs[(at + step + tabs.length) % tabs.length];
      choose(next.dataset.panel, false);
      next.focus();
    }
    if (event.key === "Escape" && !WIDE.matches && chosen && !document.querySelector("[popover]:popover-open")) {
      const tab = tabs.find((one) => one.dataset.panel === chosen);
      choose("");
      tab.focus();
    }
  });
  // Fetch the actions for a member on demand.
  const sheet = document.getElementById("sheet");
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-person]") ?? event.target.closest?.(".seat")?.querySelector("[data-person]");
    if (!button) return; // a tap on a seat opens its sheet
    await htmx.ajax("GET", `${location.pathname}people/${button.dataset.person}/`, { target: sheet, swap: "innerHTML" });
    if (sheet.firstElementChild) sheet.showPopover({ source: button });
  });
  // Show the response to a form over the table. Without scripts it is a page of its own.
  document.addEventListener("submit", async (event) => {
    if (!event.target.matches("form[data-sheet]")) return;
    event.preventDefault();
    const answer = await fetch(event.target.action, { method: "POST", body: new FormData(event.target) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const close = document.createElement("button");
    Object.assign(close, { type: "button", textContent: event.target.dataset.sheet });
    close.addEventListener("click", () => sheet.hidePopover());
    const part = page.querySelector("main section");
    sheet.replaceChildren(...(part?.childNodes ?? []), close);
    sheet.showPopover();
  });
  document.addEventListener("htmx:after:ws:request", (event) => {
    event.target.closest?.("[popover]:popover-open:not([data-stays])")?.hidePopover();
    if (!WIDE.matches && event.target.matches?.(".panel .reactions, .panel .quick")) choose(""); // shown at the seat
  });

  // A key or link that leads into a panel opens the panel first.
  document.addEventListener("parlour:panel", (event) => choose(event.detail, false));
  WIDE.addEventListener("change", show);
  new MutationObserver(() => { if (shown() !== table.dataset.shown) show(); })
    .observe(document.querySelector(".question"), { subtree: true, childList: true, attributeFilter: ["class"] });
  show();
})();
