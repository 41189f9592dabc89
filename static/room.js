// Script of a table's page: connection, moves, clocks and preferences. The HTML comes from the server, and htmx swaps it in. Load this script before htmx.
(() => {
  "use strict";

  // htmx needs it for every send, but browsers offer it only on https and localhost, not on LANs.
  if (!crypto.randomUUID) {
    crypto.randomUUID = () => {
      const b = crypto.getRandomValues(new Uint8Array(16));
      b[6] = (b[6] & 15) | 64;
      b[8] = (b[8] & 63) | 128;
      const hex = [...b].map((x) => x.toString(16).padStart(2, "0")).join("");
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    };
  }

  const NOTICE_MS = 8000;
  const PASSING_MS = 20000; // notices that fade after reading
  const CALLS = [30, 10, 5];
  const $ = (selector, from = document) => from.querySelector(selector);
  const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
  let connection = null;
  let noticeTimer = 0;
  let noticed = null;
  const typed = new Map(); // last sent data by form name
  let wasMine = false;
  let asked = "";
  let wasPaused = false;
  let plainTitle = "";

  // --- the connection -------------------------------------------------------------------------

  // A submit before htmx has loaded would reload the page and be lost: repeat it afterwards.
  const tooEarly = (event) => {
    const { target: form, submitter } = event;
    if (!form.hasAttribute("hx-ws:send")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.addEventListener("DOMContentLoaded", () => setTimeout(() => form.requestSubmit(submitter)), { once: true });
  };
  document.addEventListener("submit", tooEarly, true);
  document.addEventListener("DOMContentLoaded", () => setTimeout(() => document.removeEventListener("submit", tooEarly, true)));

  const offline = (text) => {
    const box = $("#offline");
    if (!box) return;
    box.hidden = !text;
    box.textContent = text || "";
    document.body.classList.toggle("is-offline", Boolean(text));
  };

  // Disable the page except for its links onward.
  const end = (code) => {
    document.body.classList.add("is-ended");
    for (const open of $$(":popover-open")) open.hidePopover(); // would cover the message
    const onward = $("#onward");
    if (!onward) return; // big screens reload by themselves
    onward.hidden = false;
    if (code === 4003) $(".again", onward).remove(); // removed people cannot rejoin
    $("a", onward).focus({ preventScroll: true });
    window.scrollTo(0, 0);
  };

  // Other pages have a connection for the badge alone; it reconnects by itself.
  const isBadgeConnection = (event) => event.target.id === "calls";
  document.addEventListener("htmx:before:ws:connection", (event) => {
    if (!isBadgeConnection(event)) connection = event.detail.connection;
  });
  document.addEventListener("htmx:after:ws:connection", (event) => {
    if (isBadgeConnection(event)) return;
    offline("");
    luck?.then((loaded) => loaded.again(), () => {});
    afterSwap(); // the page may already be complete
  });
  document.addEventListener("htmx:ws:close", (event) => {
    if (isBadgeConnection(event)) {
      if (event.detail.code >= 4000) event.detail.connection.config.reconnect = false;
      return;
    }
    if (event.detail.code >= 4000 && connection) {
      connection.config.reconnect = false;
      clearTimeout(noticeTimer); // keep the reason visible
      end(event.detail.code);
      const { much, out, gone } = document.body.dataset;
      offline({ 4001: out, 4008: much }[event.detail.code] ?? gone);
    } else if (event.detail.reason === "closed") {
      offline(document.body.dataset.lost);
    }
  });
  document.addEventListener("htmx:after:ws:message", (event) => {
    updateBadge();
    if (!isBadgeConnection(event)) afterSwap();
  });
  document.addEventListener("htmx:before:ws:request", (event) => {
    if (document.body.classList.contains("is-offline")) event.preventDefault();
  });
  document.addEventListener("htmx:after:ws:request", (event) => {
    const form = event.target.closest?.("form");
    if (form?.hasAttribute("data-reset")) {
      typed.set(form.elements.do.value, [form, new FormData(form)]);
      form.reset();
    }
    fold(form);
  });

  // Restore refused input, unless the field has been filled again.
  const giveBack = (refused) => {
    const [form, fields] = typed.get(refused) ?? [];
    for (const [name, value] of fields ?? []) {
      const field = form.elements[name];
      if (!field?.matches?.("input:not([type=hidden]), textarea") || field.value) continue;
      field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true })); // store it as a draft again
    }
    typed.delete(refused);
  };

  // After a report, fold its form and close the person's sheet.
  const fold = (form) => {
    const folding = form?.closest("details.report");
    if (!folding) return;
    folding.open = false;
    $("summary", folding).focus({ preventScroll: true });
    folding.closest("[popover]")?.hidePopover();
  };
  window.addEventListener("offline", () => offline(document.body.dataset.lost));

  // Add to the luck of each match. The script is loaded when it is needed first, after the page.
  let luck = null;
  const addLuck = async () => {
    const isOpen = () => connection?.socket?.readyState === WebSocket.OPEN; // on opening, it is called again
    const script = $("#luck")?.dataset.script;
    if (!isOpen() || !(luck || (script && document.readyState === "complete"))) return;
    luck ??= import(script);
    const loaded = await luck.catch(() => { luck = null; }); // offline: the next update tries again
    loaded?.look((body) => { if (isOpen()) connection.socket.send(JSON.stringify({ headers: {}, body })); });
  };
  window.addEventListener("load", () => setTimeout(addLuck));

  // --- moves ------------------------------------------------------------------------------------

  // With confirmation off, make a risky move at once if nothing is left to choose.
  document.addEventListener("click", (event) => {
    const form = event.target.closest?.("#actions .risky > summary")?.parentElement.querySelector("form");
    if (!form || document.body.dataset.confirm !== "no") return;
    if ($$("button", form).length > 1 || $("select, input:not([type=hidden])", form)) return;
    event.preventDefault();
    form.requestSubmit();
  });

  // A bot plays for absent players. Their first tap or key press takes the seat back.
  for (const touch of ["pointerdown", "keydown"]) {
    document.addEventListener(touch, () => {
      const form = $("#take-back");
      if (!form || form.dataset.tapped || document.body.classList.contains("is-offline")) return;
      form.dataset.tapped = "yes";
      form.requestSubmit();
    }, { capture: true });
  }

  // Scroll unfolded moves into view, also in a panel.
  document.addEventListener("click", (event) => {
    const folded = event.target.closest?.("#actions summary")?.parentElement;
    if (folded) requestAnimationFrame(() => folded.scrollIntoView({ block: "nearest" }));
  });

  // Limit ticks to the number asked for, and remember their order.
  const chosen = new WeakMap();
  document.addEventListener("change", (event) => {
    const field = event.target.closest?.(".ticks");
    if (!field) return;
    const kept = (chosen.get(field) ?? []).filter((box) => box.isConnected && box.checked && box !== event.target);
    if (event.target.checked) {
      while (kept.length >= Number(field.dataset.most)) kept.pop().checked = false;
      kept.push(event.target);
    }
    chosen.set(field, kept);
    showChosen();
  });
  // Show the order of ticks, also after a push.
  const showChosen = () => {
    for (const field of $$(".ticks")) field.toggleAttribute("data-lacks", $$(":checked", field).length < Number(field.dataset.least));
    for (const field of $$("[data-ordered]")) {
      const kept = chosen.get(field) ?? [];
      for (const box of $$("input[type=checkbox]", field)) {
        const nth = box.checked ? String(kept.indexOf(box) + 1) : "";
        const shown = $(".nth", box.closest("label"));
        if (shown.textContent !== nth) shown.textContent = nth;
      }
    }
  };
  document.addEventListener("submit", (event) => {
    for (const field of $$("[data-ordered]", event.target)) {
      for (const old of $$("input[type=hidden]", field)) old.remove();
      for (const box of chosen.get(field) ?? []) {
        const input = document.createElement("input");
        Object.assign(input, { type: "hidden", name: field.dataset.ordered, value: box.value });
        field.append(input);
      }
    }
  }, true);

  // Mark a tapped button until the server responds, however long that takes.
  document.addEventListener("submit", (event) => {
    if (event.target.hasAttribute("hx-ws:send") && !document.body.classList.contains("is-offline")) event.submitter?.classList.add("sent");
  });
  document.addEventListener("htmx:after:ws:message", (event) => {
    if (!isBadgeConnection(event)) for (const button of $$(".sent")) button.classList.remove("sent");
  });

  // Ignore repeated submits of a pending form, which the server carries out only once anyway.
  // The button is only marked as pressed, so keyboards and the Back button still work.
  const UNDER_WAY_MS = 10000;
  const release = (form) => {
    delete form.dataset.sent;
    for (const button of form.elements) if (button.ariaDisabled) button.ariaDisabled = null;
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form[data-once]")) return;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    if (event.submitter) event.submitter.ariaDisabled = "true";
    setTimeout(() => release(form), UNDER_WAY_MS);
  });
  // After returning to a page, the next submit is a new one.
  window.addEventListener("pageshow", ({ persisted }) => {
    for (const form of $$("form[data-once]")) release(form);
    if (!persisted && performance.getEntriesByType("navigation")[0]?.type !== "back_forward") return;
    for (const field of $$("input[name=form_token]")) field.value = crypto.randomUUID();
  });

  let focusedIn = null;
  let focusedAt = null;
  document.addEventListener("focusin", (event) => {
    focusedAt = event.target.closest?.("#status, #actions, #people, #asking, #setup, #options, #ruleset");
    focusedIn = focusedAt ? event.target : null;
  });

  const clearPassing = () => {
    for (const word of $$("#words .passing")) {
      word.classList.remove("passing");
      setTimeout(() => word.remove(), PASSING_MS);
    }
  };
  const afterSwap = () => {
    clearPassing();
    if (focusedIn && !focusedIn.isConnected) {
      focusedIn = null;
      $({ status: "#actions-heading", actions: "#actions-heading", people: "#people-heading", asking: "#invite-heading", setup: "#actions-heading", options: "#to-ruleset", ruleset: "#ruleset-heading" }[focusedAt.id])?.focus({ preventScroll: true });
    }
    followGame();
    showChosen();
    address();
    notice();
    callTurn();
    markRules();
    autoPass();
    addLuck();
    tick();
  };

  // If the table changes its game, update colours, style sheets, scripts and title.
  const followGame = () => {
    const called = $("#called");
    const { game, name, parts } = called?.dataset ?? {};
    if (!game || document.body.classList.contains(`game-${game}`)) return;
    const [was] = [...document.body.classList].filter((one) => one.startsWith("game-"));
    document.body.classList.replace(was, `game-${game}`);
    plainTitle = `${name} ${plainTitle.split(" ").at(-1)}`;
    const old = $$("link[data-look]");
    const takeOff = () => { for (const link of old) link.remove(); };
    let style = null;
    for (const url of parts.split(" ").filter(Boolean)) {
      const [kind] = url.split("/").at(-1).split(".");
      if (kind === "screen" && !document.body.matches(".at-screen")) continue;
      if (url.endsWith(".js")) loadOnce(url);
      else {
        const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: url });
        link.dataset.look = "";
        if (kind === "style") style = link;
        else document.head.append(link);
      }
    }
    style?.addEventListener("load", takeOff);
    if (style) $("link[rel=stylesheet][href*=table]").after(style);
    else takeOff();
  };
  // Scripts of a former game remain, because scripts cannot be unloaded.
  const loadOnce = (src) => {
    if ($(`script[src="${src}"]`)) return;
    document.head.append(Object.assign(document.createElement("script"), { src, async: false }));
  };

  // Scene and seats are the same for everybody. Replace texts about the viewer with their versions
  // in the second person.
  const address = () => {
    const seat = $(".seat.you")?.id.replace("seat-", "s");
    if (seat) for (const said of $$(`:is(#board, .seats) [data-${seat}]`)) said.textContent = said.dataset[seat];
  };

  const markRules = () => {
    const phase = $("#status")?.dataset.phase;
    for (const part of $$("#rules [data-part]")) part.classList.toggle("now", part.dataset.part.split(" ").includes(phase));
  };

  // Show the notice below the question, scrolled into view.
  document.addEventListener("parlour:notice", (event) => {
    const line = document.createElement("p");
    line.textContent = event.detail;
    $("#notice")?.replaceChildren(line);
    notice();
  });
  const notice = () => {
    const box = $("#notice");
    if (!box?.firstChild || box.firstChild === noticed) return;
    noticed = box.firstChild;
    giveBack(noticed.dataset.refused);
    box.scrollIntoView({ block: "nearest" });
    clearTimeout(noticeTimer);
    noticeTimer = setTimeout(() => box.replaceChildren(), NOTICE_MS);
  };

  // --- whose turn, how long -------------------------------------------------------------------

  // Announce a text to screen readers once and remove it later. A question stays while it is asked.
  const announce = (id, politeness, text, stays = false) => {
    let box = document.getElementById(id);
    if (!box) {
      box = document.createElement("div");
      box.id = id;
      box.className = "unseen";
      box.setAttribute("aria-live", politeness);
      document.body.append(box);
    }
    const line = document.createElement("p");
    line.textContent = text;
    box.replaceChildren(...(text ? [line] : []));
    if (!stays) setTimeout(() => line.remove(), NOTICE_MS);
  };

  const callTurn = () => {
    const status = $("#status");
    if (!status) return;
    plainTitle ||= document.title;
    const mine = status.dataset.mine === "yes";
    document.title = mine ? `● ${document.body.dataset.turn} – ${plainTitle}` : plainTitle;
    const [own, instead] = $$(".sentence", status); // pick the visible one without a reflow
    const said = ((document.body.classList.contains("is-covered") && instead) || own)?.textContent ?? "";
    const paused = status.classList.contains("paused");
    if (paused !== wasPaused) announce("pause-call", "polite", said);
    wasPaused = paused;
    if (mine && (!wasMine || said !== asked)) {
      announce("turn-call", "assertive", said, true);
      document.dispatchEvent(new CustomEvent("parlour:asked"));
    }
    if (!mine && wasMine) for (const call of $$("#turn-call, #clock-call")) call.replaceChildren(); // the question is over
    asked = said;
    if (mine !== wasMine) document.dispatchEvent(new CustomEvent("parlour:turn", { detail: mine }));
    wasMine = mine;
  };

  // On other pages: show the number of waiting tables in the title, and announce increases.
  let waited = Infinity;
  const updateBadge = () => {
    const badge = $("#badge");
    const waiting = Number(badge?.dataset.waiting ?? 0);
    if (waiting > waited) announce("badge-call", "polite", badge.textContent.trim());
    waited = waiting;
    if (!$("#status")) {
      plainTitle ||= document.title;
      document.title = waiting ? `(${waiting}) ${plainTitle}` : plainTitle;
    }
    tick();
  };
  document.addEventListener("DOMContentLoaded", () => updateBadge());

  // The server's time, whatever this machine's clock says. The page's first byte came at `arrived`.
  const served = Number($('meta[name="served-at"]')?.content || 0);
  const arrived = performance.timeOrigin + (performance.getEntriesByType("navigation")[0]?.responseStart || performance.now());
  const skew = served ? served - arrived : 0;
  const serverNow = window.serverNow = () => Date.now() + skew;

  const UNITS = [["second", 60], ["minute", 60], ["hour", 24], ["day", Infinity]];
  const ago = (moment) => {
    let passed = Math.max(0, Math.round((serverNow() - moment) / 1000));
    if (passed < 60) return "";
    for (const [unit, many] of UNITS) {
      if (passed < many) return new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" }).format(-passed, unit);
      passed = Math.floor(passed / many);
    }
    return "";
  };

  // --- preferences: stored with the account, else in this browser -------------------------------

  const PASS_MS = 900;
  let passing = "";
  const habit = (name) => (document.body.dataset[name] ?? localStorage.getItem(`parlour-${name}`)) === "yes";
  const keepHabit = (name, on) => {
    document.body.dataset[name] = on;
    localStorage.setItem(`parlour-${name}`, on);
    const body = new URLSearchParams({ habit: name, on, csrfmiddlewaretoken: $("[name=csrfmiddlewaretoken]").value });
    fetch($("[data-keep]").dataset.keep, { method: "POST", body, keepalive: true }).catch(() => {});
  };

  const cover = (on) => {
    document.body.classList.toggle("is-covered", on);
    localStorage.setItem("parlour-covered", on ? "yes" : "no");
    $("#cover")?.setAttribute("aria-pressed", String(on));
  };

  // Same delay for every question and player: timing must not leak the hand.
  const autoPass = () => {
    const form = $("#actions form[data-auto-pass]");
    if (!habit("declines") || !form || form.id === passing) return;
    passing = form.id;
    setTimeout(() => { if (habit("declines") && form.isConnected) form.requestSubmit(); }, PASS_MS);
  };

  document.addEventListener("DOMContentLoaded", () => {
    if (!$("#cover")) return;
    cover(habit("covered"));
    $("#cover").addEventListener("click", () => cover(!habit("covered")));
    for (const box of $$("[data-habit]")) {
      box.checked = habit(box.dataset.habit);
      document.body.dataset[box.dataset.habit] ??= box.checked ? "yes" : "no";
      box.addEventListener("change", () => {
        keepHabit(box.dataset.habit, box.checked ? "yes" : "no");
        autoPass();
      });
    }
  });
  window.addEventListener("blur", () => { if (habit("blur")) cover(true); });

  // Draw the rings at seats: the time left, as a share of the time left when the page first saw the
  // deadline. Set it on each seat, because setting it on the table would recalculate all styles.
  // With reduced motion, change it only once a second.
  const steady = matchMedia("(prefers-reduced-motion: reduce)");
  const whole = { deadline: "", left: 1 };
  const ring = (deadline, left) => {
    if (whole.deadline !== deadline) Object.assign(whole, { deadline, left: Math.max(left, 1) });
    const share = Math.max(0, Math.min(1, (steady.matches ? Math.ceil(left) : left) / whole.left)).toFixed(3);
    for (const { style } of $$(".seat:is(.awaited, .turn) .one-person")) {
      if (style.getPropertyValue("--left") !== share) style.setProperty("--left", share);
    }
  };

  // Format a remaining time: 1:05, 5 s, or 23 h 59 min by correspondence.
  const untilThen = (left) => {
    const [minutes, hours] = [Math.floor(left / 60), Math.floor(left / 3600)];
    if (hours) return `${hours} h ${minutes % 60} min`;
    return minutes ? `${minutes}:${String(left % 60).padStart(2, "0")}` : `${left} s`;
  };

  let called = null;
  let ticked = null;
  const tick = () => {
    for (const later of $$("[data-from]")) later.hidden = Date.parse(later.dataset.from) > serverNow();
    for (const brief of $$("[data-to]")) brief.hidden = Date.parse(brief.dataset.to) <= serverNow();
    for (const time of $$("time[data-since]")) {
      const text = ago(Date.parse(time.dateTime)) || time.dataset.since;
      if (time.textContent !== text) time.textContent = text;
    }
    for (const time of $$("time[data-until]")) {
      const text = `${Math.max(0, Math.ceil((Date.parse(time.dataset.until) - serverNow()) / 1000))} s`;
      if (time.textContent !== text) time.textContent = text;
    }
    for (const time of $$("time[data-deadline]")) {
      const most = Number(time.dataset.full ?? Infinity); // starts when past events have been shown
      const until = Math.max(0, Math.ceil((Date.parse(time.dataset.deadline) - serverNow()) / 1000));
      const left = Math.min(most, until);
      time.parentElement.classList.toggle("still", until > most);
      time.previousElementSibling.hidden = until <= most;
      const text = untilThen(left);
      if (time.textContent !== text) time.textContent = text;
      time.classList.toggle("soon", left <= 5);
      ring(time.dataset.deadline, (Date.parse(time.dataset.deadline) - serverNow()) / 1000);
      const key = `${time.dataset.deadline} ${left}`;
      if (wasMine && left > 0 && left <= 5 && ticked !== key) {
        ticked = key;
        document.dispatchEvent(new CustomEvent("parlour:clock"));
      }
      if (wasMine && CALLS.includes(left) && called !== key) {
        called = key;
        announce("clock-call", "polite", text);
      }
    }
  };

  setInterval(tick, 250);

  document.addEventListener("focusin", (event) => {
    if (event.target.matches("#link, [data-select]")) event.target.select();
  });
  // The clipboard exists on https and localhost only. This also works on LANs.
  const copyTheOldWay = (text) => {
    const field = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  };
  const copy = async (button, text) => {
    const written = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    if (!written && !copyTheOldWay(text)) return;
    const before = button.textContent;
    if (before === button.dataset.done) return;
    button.textContent = button.dataset.done;
    announce("copied", "polite", button.dataset.done);
    setTimeout(() => { button.textContent = before; }, NOTICE_MS);
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    await copy(button, field.value);
    field.select(); // lets people copy it themselves
  });
  // Phones can share links if the page is on https or localhost.
  document.addEventListener("DOMContentLoaded", () => {
    for (const button of $$("[data-share]")) button.hidden = !navigator.share;
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-share]");
    if (!button) return;
    const url = document.getElementById(button.dataset.share).value;
    navigator.share({ title: button.dataset.title, url }).catch(() => { /* cancelled */ });
  });
  // Share a result with a link to the front page: the table's code stays private.
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-result]");
    if (!button) return;
    const text = button.dataset.result;
    const url = `${document.body.dataset.site ?? location.origin}/`;
    if (navigator.share) navigator.share({ text, url }).catch(() => { /* cancelled */ });
    else copy(button, `${text}\n${url}`);
  });
  // Verify a match's random numbers in the page.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-check]");
    if (button) (await import(button.dataset.check)).show(button);
  });
  // Return the letter pressed with Alt. If the key yields another character (Option on Macs, layouts
  // that are not Latin), use its position, except in text fields.
  const letterOf = ({ key, code, target }) => {
    if (/^[a-z]$/i.test(key)) return key.toLowerCase();
    if (target.matches?.("input, textarea, select")) return "";
    return /^Key([A-Z])$/.exec(code)?.[1].toLowerCase() ?? "";
  };
  document.addEventListener("keydown", (event) => {
    if (event.altKey && !event.ctrlKey && !event.metaKey && !event.getModifierState("AltGraph")) {
      const key = letterOf(event);
      const to = { a: "#actions-heading", l: "#log-lines", c: "#message", p: "#seats", h: "#hand" }[key];
      if (to && $(to)) {
        event.preventDefault();
        const panel = { l: "log", c: "chat" }[key];
        if (panel) document.dispatchEvent(new CustomEvent("parlour:panel", { detail: panel }));
        if (!$(to).matches("input")) $(to).tabIndex = $(to).tabIndex;
        $(to).focus();
      }
      if (key === "s" && $("#cover")) { event.preventDefault(); cover(!habit("covered")); }
      if (key === "t") { event.preventDefault(); announce("clock-call", "polite", $("#status time")?.textContent ?? ""); }
    }
  });
})();
