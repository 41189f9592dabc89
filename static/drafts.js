// Keeps unsent input of `data-draft` fields across reloads in this tab, by page and id.
(() => {
  "use strict";

  const PREFIX = "parlour-draft ";
  const here = `${PREFIX}${location.pathname} `;
  const drafts = (prefix) => Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));
  const forget = (prefix) => { for (const key of drafts(prefix)) sessionStorage.removeItem(key); };

  const keep = (field) => {
    try {
      if (field.value) sessionStorage.setItem(here + field.id, field.value);
      else sessionStorage.removeItem(here + field.id);
    } catch { /* storage quota exceeded */ }
  };
  document.addEventListener("input", (event) => {
    if (event.target.matches?.("[data-draft]")) keep(event.target);
  });

  // Restore each field once, also fields added later. A value from the server wins.
  const given = new WeakSet();
  const restore = () => {
    for (const key of drafts(here)) {
      const field = document.getElementById(key.slice(here.length));
      if (!field?.matches("[data-draft]") || given.has(field)) continue;
      given.add(field);
      field.value ||= sessionStorage.getItem(key);
    }
  };
  document.addEventListener("DOMContentLoaded", () => {
    if (!("confirm" in document.body.dataset)) forget(PREFIX); // logged out: the drafts are another user's
    restore();
  });
  document.addEventListener("htmx:after:ws:message", restore);
  document.addEventListener("htmx:after:swap", restore);

  // Forget sent drafts. `data-reset`: sent over the socket; `data-ends-drafts`: by a request.
  document.addEventListener("htmx:after:ws:request", (event) => {
    const form = event.target.closest?.("form");
    for (const field of form?.querySelectorAll("[data-draft]") ?? []) sessionStorage.removeItem(here + field.id);
  });
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented && event.target.hasAttribute("data-ends-drafts")) forget(here);
  });
})();
