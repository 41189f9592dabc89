// Helpers for pages outside a table: missing name, menu, theme.
(() => {
  "use strict";

  const $ = (selector, from = document) => from.querySelector(selector);

  // If the name is missing, ask for it at its field instead of submitting.
  const askForName = (field) => {
    const problem = $("#play-name-error");
    problem.textContent = problem.dataset.missing;
    problem.hidden = false;
    field.setAttribute("aria-invalid", "true");
    field.focus();
  };
  document.addEventListener("submit", (event) => {
    const field = event.target.id === "enter" ? $("#play-name") : null;
    if (!field || field.value.trim() || event.submitter?.hasAttribute("data-nameless")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    askForName(field);
  }, true);

  // Enter never starts a game. It moves from a name to the button, and opens the table of a code.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    const onto = { "play-name": $("#play-now"), code: $("#by-code") }[event.target.id];
    if (!onto) return;
    event.preventDefault();
    if (onto.id === "by-code") onto.click();
    else onto.focus();
  });

  // Count characters as the server does: `maxlength` counts an emoji as two and silently cuts
  // pasted text. Input that is too long is reported when it is sent.
  const countCharacters = ({ target }) => {
    if (!target.matches?.("input[maxlength], textarea[maxlength]")) return;
    target.dataset.longest = target.getAttribute("maxlength");
    target.removeAttribute("maxlength");
  };
  for (const before of ["focusin", "beforeinput"]) document.addEventListener(before, countCharacters, true);
  document.addEventListener("input", ({ target }) => {
    const { longest } = target.dataset;
    if (!longest) return;
    const isTooLong = [...target.value.trim().normalize("NFC")].length > longest;
    const sentence = document.body.dataset.tooLong.replace("#", longest);
    target.setCustomValidity(isTooLong ? sentence : "");
  });

  // Until a face is chosen, derive it from the name while typing.
  const AFTER_TYPING = 250;
  let typing;
  const showOwnFace = () => {
    const own = $("[data-own-face]");
    if (own) own.src = $(".choose-face :checked").nextElementSibling.src;
  };
  document.addEventListener("input", ({ target }) => {
    const byName = $("[data-by-name]", target.form ?? undefined);
    if (target.name !== "name" || !byName) return;
    clearTimeout(typing);
    typing = setTimeout(() => {
      byName.src = `${byName.dataset.byName}?name=${encodeURIComponent(target.value)}`;
      showOwnFace();
    }, AFTER_TYPING);
  });
  document.addEventListener("change", ({ target }) => target.name === "face" && showOwnFace());

  // Go to the table of a quick match.
  const follow = () => {
    const found = $("[data-go]");
    if (found) location.assign(found.href);
  };
  document.addEventListener("DOMContentLoaded", follow);
  document.addEventListener("htmx:after:ws:message", follow);

  // Close the menu on Escape or a tap elsewhere.
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && $("details.menu[open]");
    if (!menu) return;
    menu.open = false;
    $("summary", menu).focus();
  });
  document.addEventListener("click", (event) => {
    const menu = $("details.menu[open]");
    if (menu && !menu.contains(event.target)) menu.open = false;
  });

  // Change the theme without reloading the page.
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form.themes")) return;
    event.preventDefault();
    const { value } = event.submitter;
    if (value) document.body.dataset.theme = value;
    else delete document.body.dataset.theme;
    for (const button of event.target.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button === event.submitter));
    fetch(event.target.action, { method: "POST", body: new FormData(event.target, event.submitter), redirect: "manual" });
  });
})();
