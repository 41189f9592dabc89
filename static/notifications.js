// Tells people that it is their turn when they look elsewhere: by this page while it is hidden, and where the server
// has a key for it also while no page is open (service-worker.js). Off until somebody asks for it.
(() => {
  "use strict";

  const $ = (selector) => document.querySelector(selector);
  const here = location.pathname;
  const isWanted = () => localStorage.getItem("parlour-notify") === "yes";
  const isAllowed = () => window.Notification?.permission === "granted";
  const key = () => document.body.dataset.pushKey ?? "";

  // --- the worker: browsers have one on https and on this machine alone -------------------------

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

  // The server is told anew once in a while: the browser may have another person, or another address.
  const subscribe = async () => {
    const manager = (await worker())?.pushManager;
    if (!manager || !key()) return;
    const options = { userVisibleOnly: true, applicationServerKey: bytes(key()) };
    const before = await manager.getSubscription();
    const subscription = await manager.subscribe(options).catch(async () => {
      await before?.unsubscribe(); // it was for another key
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

  // The worker also shows the page for when there is no network, so it is registered on every page.
  window.addEventListener("load", worker);

  document.addEventListener("DOMContentLoaded", () => {
    const box = $("#notify");
    if (box) {
      box.closest("label").hidden = !window.Notification || !navigator.serviceWorker;
      box.checked = isWanted() && isAllowed();
      box.addEventListener("change", () => turn(box).catch(() => { /* the service of the browser is not there */ }));
    }
    const isTold = sessionStorage.getItem("parlour-called") === key();
    if (!key()) unsubscribe().catch(() => {}); // nobody is logged in here any more
    else if (isWanted() && isAllowed() && !isTold && $("[name=csrfmiddlewaretoken]")) subscribe().catch(() => {});
  });
})();
