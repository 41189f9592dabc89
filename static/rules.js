// The sheet on which a host chooses the rules of a table. Every change is sent at once.
(() => {
  "use strict";

  const sheet = () => document.getElementById("house");
  const COARSE = [[200, 10], [60, 5]]; // a range longer than the first goes in steps of the second

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-step]");
    if (!button) return;
    const field = button.parentElement.querySelector("input");
    const [, by] = COARSE.find(([from]) => field.max - field.min >= from) ?? [0, 1];
    const next = Number(field.value) + button.dataset.step * by;
    field.value = Math.min(field.max, Math.max(field.min, next));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });

  // What the table plays by now is what the fields show, but for the one somebody is typing in.
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

  // What does not fit is said at its field, which keeps what was typed.
  const blame = () => {
    const said = document.querySelector("#notice > [data-option]");
    const field = said && sheet()?.querySelector(`[name="option-${said.dataset.option}"]`);
    if (!field || said.dataset.told) return;
    said.dataset.told = "yes";
    for (const old of sheet().querySelectorAll(".problem")) old.remove();
    const line = document.createElement("span");
    Object.assign(line, { className: "problem", id: "house-problem", textContent: said.textContent });
    field.closest(".option, fieldset").append(line);
    field.setAttribute("aria-describedby", line.id);
    field.closest("details").open = true;
    line.scrollIntoView({ block: "nearest" });
  };

  document.addEventListener("htmx:after:ws:message", () => { follow(); blame(); });
})();
