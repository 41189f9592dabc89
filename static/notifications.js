// Notifies users of their turn while they look elsewhere: from a hidden page or, with a push key,
// even if no page is open (service-worker.js). Off by default.
(() => {
  "use strict";

  const $ = (selector) => document.querySelector(selector);
  const here = location.pathname;
  const isWanted = () => localStorage.getItem("parlour-notify") === "yes";
  const isAllowed = () => window.Notification?.permission === "granted";
  const key = () => document.body.dataset.pushKey ?? "";

  // --- the service worker: browsers allow one only on https and localhost -----------------------

  const running = async () => navigator.serviceWorker?.getRegistration().catch(() => undefined);
  const worker = async () => {
    try {
      await navigator.serviceWorker?.register("/service-worker.js");
      return await navigator.serviceWorker?.ready;
    } catch {
      return undefined;
    }
  };

  const post = (address, body) => fetch(address, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", "X-CSRFToken": $("[name=csrfmiddlewaretoken]")?.value ?? "" },
  });

  const bytes = (written) => {
    const plain = atob(written.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  };

  // Resend the subscription once per session: its user or address may have changed.
  const subscribe = async () => {
    const manager = (await worker())?.pushManager;
    if (!manager || !key()) return;
    const options = { userVisibleOnly: true, applicationServerKey: bytes(key()) };
    const before = await manager.getSubscription();
    const subscription = await manager.subscribe(options).catch(async () => {
      await before?.unsubscribe(); // made for another key
      return manager.subscribe(options);
    });
    await post("/you/calls/", subscription);
    sessionStorage.setItem("parlour-called", key());
  };

  const unsubscribe = async () => {
    const subscription = await (await running())?.pushManager?.getSubscription();
    if (!subscription) return;
    if (key()) await post("/you/calls/end/", { endpoint: subscription.endpoint });
    await subscription.unsubscribe();
    sessionStorage.removeItem("parlour-called");
  };

  // --- my turn -----------------------------------------------------------------------------------

  let mine = false;
  let called = false;

  const call = async () => {
    if (called || !isWanted() || !isAllowed()) return;
    called = true;
    const said = { body: document.title.replace("● ", ""), tag: here, data: { url: here } };
    const registration = await worker();
    await registration?.showNotification(document.body.dataset.turn, said);
    if (!mine || !document.hidden) await hush();
  };

  const hush = async () => {
    called = false;
    const shown = await (await running())?.getNotifications?.({ tag: here });
    for (const one of shown ?? []) one.close();
  };

  const look = () => {
    const elsewhere = mine && document.hidden;
    const mark = elsewhere ? navigator.setAppBadge?.() : navigator.clearAppBadge?.();
    mark?.catch(() => {});
    (elsewhere ? call() : hush()).catch(() => {});
  };

  document.addEventListener("parlour:turn", (event) => {
    mine = event.detail;
    look();
  });
  document.addEventListener("visibilitychange", look);

  // --- the switch --------------------------------------------------------------------------------

  const turn = async (box) => {
    if (box.checked) box.checked = (await Notification.requestPermission()) === "granted";
    localStorage.setItem("parlour-notify", box.checked ? "yes" : "no");
    await (box.checked ? subscribe() : unsubscribe());
  };

  // Register the worker on every page, because it also serves the offline page.
  window.addEventListener("load", worker);

  document.addEventListener("DOMContentLoaded", () => {
    const box = $("#notify");
    if (box) {
      box.closest("label").hidden = !window.Notification || !navigator.serviceWorker;
      box.checked = isWanted() && isAllowed();
      box.addEventListener("change", () => turn(box).catch(() => { /* push service unavailable */ }));
    }
    const isTold = sessionStorage.getItem("parlour-called") === key();
    if (!key()) unsubscribe().catch(() => {}); // logged out
    else if (isWanted() && isAllowed() && !isTold && $("[name=csrfmiddlewaretoken]")) subscribe().catch(() => {});
  });
})();
