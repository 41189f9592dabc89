// The sheet on which a host chooses the table's rules. Sends every change at once.
(() => {
  "use strict";

  const sheet = () => document.getElementById("ruleset");
  const COARSE = [[200, 10], [60, 5]]; // [range, step]: the step for ranges at least that long

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-step]");
    if (!button) return;
    const field = button.parentElement.querySelector("input");
    const [, by] = COARSE.find(([from]) => field.max - field.min >= from) ?? [0, 1];
    const next = Number(field.value) + button.dataset.step * by;
    field.value = Math.min(field.max, Math.max(field.min, next));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });

  // Show the table's current rules, except in the field being edited.
  let shown = sheet()?.dataset.now;
  const follow = () => {
    const { now } = sheet()?.dataset ?? {};
    if (!now || now === shown) return;
    shown = now;
    const typing = document.activeElement;
    const { value } = typing;
    for (const said of sheet().querySelectorAll(".problem")) said.remove();
    sheet().querySelector("form").reset();
    if (typing.type === "number") typing.value = value;
  };

  // Show a refusal at its field, which keeps the input.
  const blame = () => {
    const said = document.querySelector("#notice > [data-option]");
    const field = said && sheet()?.querySelector(`[name="option-${said.dataset.option}"]`);
    if (!field || said.dataset.told) return;
    said.dataset.told = "yes";
    for (const old of sheet().querySelectorAll(".problem")) old.remove();
    const line = document.createElement("span");
    Object.assign(line, { className: "problem", id: "ruleset-problem", textContent: said.textContent });
    field.closest(".option, fieldset").append(line);
    field.setAttribute("aria-describedby", line.id);
    field.closest("details").open = true;
    line.scrollIntoView({ block: "nearest" });
  };

  document.addEventListener("htmx:after:ws:message", () => { follow(); blame(); });
})();
