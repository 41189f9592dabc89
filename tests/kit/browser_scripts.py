"""Scripts that tests run in a page. Each does a whole step, because round trips are expensive."""

from __future__ import annotations

GUARD = 400
"""Milliseconds to wait before a tap, slightly longer than new buttons refuse one (taps.js)."""

LET_STAND = f"""() => {{
  const now = Date.now;
  Date.now = () => now.call(Date) + {GUARD};
}}"""

CHANGED = """patience => new Promise(done => {
  const stop = () => { watch.disconnect(); clearTimeout(timer); done(); };
  const watch = new MutationObserver(stop);
  const timer = setTimeout(stop, patience);
  const all = { attributes: true, characterData: true, childList: true, subtree: true };
  watch.observe(document.body, all);
})"""
"""Wait until the page changes, at most the given number of milliseconds."""

TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Wait until the page has been painted. By then, all animations have begun."""

OPEN_PICKS = """form => {
  const folded = document.getElementById(form)?.querySelectorAll(".pick:not([open])") ?? [];
  for (const pick of folded) pick.open = true;
}"""

ACT = f"""async patience => {{
  const RESENT_AFTER = 5000;
  const find = () => {{
    const form = document.querySelector("#actions > form, #actions > details[open] > form");
    const answered = window.answeredForm;
    if (!form || !form.querySelector("button:enabled")) return null;
    if (form.id === answered?.id && performance.now() - answered.at < RESENT_AFTER) return null;
    return form;
  }};
  if (!find() && patience) await ({CHANGED})(patience);
  const form = find();
  if (!form) return null;
  window.answeredForm = {{ id: form.id, at: performance.now() }};
  const now = Date.now;
  Date.now = () => now.call(Date) + {GUARD};
  for (const ticks of form.querySelectorAll(".ticks")) {{
    const least = [...ticks.querySelectorAll("input")].slice(0, Number(ticks.dataset.least || 0));
    for (const box of least) if (!box.checked) box.click();
  }}
  const choices = [...form.elements].filter((one) => one.type === "radio" && !one.disabled);
  if (choices.length && !choices.some((one) => one.checked)) choices[0].click();
  ({OPEN_PICKS})(form.id);
  const button = [...form.querySelectorAll("button:enabled")].at(-1);
  button.scrollIntoView({{ block: "center", behavior: "instant" }});
  const {{ left, top, width, height }} = button.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  const tapped = window.tappedKinds ??= new Set();
  if (!tapped.has(form.className) || !button.contains(hit)) {{
    tapped.add(form.className);
    return [form.id, true];
  }}
  button.focus({{ preventScroll: true }});
  try {{ button.click(); }} finally {{ Date.now = now; }}
  return [form.id, false];
}}"""
"""Answer the first question as if it were old enough to be tapped. Return null if there is none,
else its form and whether it needs a real tap: the first form of each kind on a page does, and any
whose button is covered."""

OPEN_ALL = """() => {
  window.folded = [...document.querySelectorAll("details:not([open])")];
  for (const one of folded) one.open = true;
}"""
FOLD_AGAIN = "() => { for (const one of folded) one.open = false; }"
"""The elements that OPEN_ALL has opened."""

BEGUN = """before => {
  const { commitment, list } = document.querySelector("#luck").dataset;
  return commitment !== before && !list;
}"""
"""While people wait for a match, the page shows the commitment to its random seed."""

LOOK = """async () => {
  const short = one => one.playState === "running" && one.effect.getComputedTiming().endTime < 2000;
  const moving = document.getAnimations().filter(short).map(one => one.finished);
  await Promise.race([Promise.allSettled(moving), new Promise(done => setTimeout(done, 2000))]);
  const preload = document.querySelector("audio, video") !== null;  // for these alone
  const { violations } = await axe.run({ resultTypes: ["violations"], preload });
  const { scrollWidth, clientWidth } = document.documentElement;
  return [violations, scrollWidth - clientWidth];
}"""
