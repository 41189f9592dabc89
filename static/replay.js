// Steps through a replay.
(() => {
  "use strict";

  const GAP = 250; // the server has a limit
  const STEP = 1600;
  const $ = (selector) => document.querySelector(selector);
  const [table, slider, play, speed, copy] = ["#table", "#at", "#play", "#speed", "#copy"].map($);
  const last = Number(table.dataset.last);
  const heavy = $(".course path").getAttribute("d");
  let at = Number(table.dataset.at);
  let wanted = at;
  let isBusy = false;
  let timer;

  const address = (version) => location.pathname.replace(/\d+\/$/, `${version}/`) + location.search;
  const versionOf = (link) => Number(link.pathname.split("/").at(-2));
  const kept = (version) => Math.min(last, Math.max(1, version));

  const mark = () => {
    const to = { first: 1, back: kept(at - 1), next: kept(at + 1), last };
    for (const link of document.querySelectorAll("[data-to]")) {
      link.href = address(to[link.dataset.to]);
      link.ariaDisabled = to[link.dataset.to] === at ? "true" : null;
    }
    slider.value = wanted;
    for (const line of document.querySelectorAll(".story .line")) {
      const link = line.querySelector("a.moment");
      const isLater = versionOf(link) > at;
      link.ariaCurrent = versionOf(link) === at ? "step" : null;
      line.hidden = isLater;
      if (line.previousElementSibling?.matches(".begins")) line.previousElementSibling.hidden = isLater;
    }
    $(".story").scrollTop = 1e6;
  };

  const show = async () => {
    if (isBusy) return;
    isBusy = true;
    while (at !== wanted) {
      const next = wanted;
      const pause = new Promise((done) => { setTimeout(done, GAP); });
      const answer = await fetch(address(next), { headers: { "HX-Request": "true" } }).catch(() => null);
      if (!answer?.ok) {
        stop();
        wanted = at;
        if (answer) location.assign(address(next));
        break;
      }
      const { body } = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const part of [...body.children]) document.getElementById(part.id)?.replaceWith(part);
      at = next;
      history.replaceState(null, "", address(at));
      $("#told").textContent = $("#status .sentence")?.textContent ?? "";
      mark();
      if (at !== wanted) await pause;
    }
    isBusy = false;
  };
  const go = (version) => {
    wanted = kept(version);
    slider.value = wanted;
    return show();
  };

  const stop = () => {
    clearTimeout(timer);
    play.setAttribute("aria-pressed", "false");
  };
  const playOn = () => {
    if (wanted >= last) return stop();
    timer = setTimeout(async () => {
      await go(at + 1);
      if (play.getAttribute("aria-pressed") === "true") playOn();
    }, STEP * (heavy.includes(`M${at} `) ? 1.5 : 1) / Number.parseInt(speed.textContent, 10));
  };

  play.addEventListener("click", async () => {
    if (play.getAttribute("aria-pressed") === "true") return stop();
    play.setAttribute("aria-pressed", "true");
    if (at >= last) await go(1);
    playOn();
  });
  speed.addEventListener("click", () => { speed.textContent = { "1×": "2×", "2×": "4×", "4×": "1×" }[speed.textContent]; });
  slider.addEventListener("input", () => { stop(); go(Number(slider.value)); });
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    copy.textContent = copy.dataset.done;
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-to], a.moment");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    stop();
    go(versionOf(link));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target === slider) return;
    const to = { ArrowLeft: wanted - 1, ArrowRight: wanted + 1, Home: 1, End: last }[event.key];
    if (/^[\dg]$/.test(event.key)) $(`[data-key="${event.key}"]`)?.click();
    if (to === undefined) return;
    event.preventDefault();
    stop();
    go(to);
  });

  for (const one of [slider, play, speed]) one.hidden = false;
  copy.hidden = !navigator.clipboard;
  $(".through [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  mark();
})();
