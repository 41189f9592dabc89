// Cards: fills the blanks of a prompt with the viewer's picks, and marks their answer and vote in the ballot.
(() => {
  "use strict";

  const $ = (selector, from = document) => from.querySelector(selector);
  const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];

  // The server renders one ballot for everybody. Take the viewer's own answer and vote from the dock.
  const markBallot = () => {
    const { mine, yours, vote } = $("#actions :is(.act-vote, .voted)")?.dataset ?? {};
    for (const box of $$(".ballot input")) {
      const isMine = box.value === mine;
      box.disabled = isMine || vote !== undefined;
      if (box.value === vote) box.checked = true;
      if (isMine) box.closest("li").dataset.yours = yours;
    }
  };

  // Cards are picked in an order, which room.js shows on each of them.
  const picks = () => {
    const field = $("#actions [data-ordered]");
    if (!field) return $$("#actions .mine-play mark, .ballot :checked + span mark");
    const cards = $$(":checked", field).map((box) => box.closest("label"));
    const nth = (card) => Number($(".nth", card).textContent);
    return cards.sort((one, other) => nth(one) - nth(other)).map((card) => $("[dir]", card));
  };
  const fill = () => {
    const picked = picks();
    for (const [at, blank] of $$("#board [data-blank]").entries()) {
      const plain = picked[at]?.textContent ?? blank.dataset.blank;
      const text = "begins" in blank.dataset ? plain.slice(0, 1).toUpperCase() + plain.slice(1) : plain;
      const filling = $(".filling", blank);
      if (filling.textContent !== text) filling.textContent = text;
      blank.classList.toggle("own", at < picked.length);
    }
  };

  const draw = () => {
    markBallot();
    fill();
  };
  document.addEventListener("change", (event) => { if (event.target.closest?.(".ballot, .ticks")) draw(); });
  document.addEventListener("htmx:after:ws:message", draw);
  draw();
})();
