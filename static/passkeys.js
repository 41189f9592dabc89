// Buttons that create or use a passkey. allauth's scripts talk to the device.
(() => {
  "use strict";

  const show = (what) => {
    for (const part of document.querySelectorAll(`[data-passkey-${what}]`)) part.hidden = false;
  };

  const prepare = (button) => {
    const { passkey, credential, passwordless } = button.dataset;
    const ids = { [passkey]: button.id, credential, passwordless, data: "passkey-options" };
    window.allauth.webauthn.forms[`${passkey}Form`]({ ids });
  };

  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    show("problem");
  });

  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-passkey]")) {
      if (window.webauthnJSON.supported()) {
        prepare(button);
      } else {
        button.disabled = true;
        show("missing");
      }
    }
  });
})();
