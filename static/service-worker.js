// Shows a notification when it is the user's turn, unless the table is visible. Without a network,
// it shows a page that says so. No other page is stored, because it would be out of date.
"use strict";

const OFFLINE = "/offline/";
const CACHE = "offline";

const keepOffline = async () => (await caches.open(CACHE)).add(new Request(OFFLINE, { cache: "reload" }));

const openOrOffline = async (request) => {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(OFFLINE);
    if (!kept) throw error;
    return kept;
  }
};

self.addEventListener("install", (event) => event.waitUntil(keepOffline()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(openOrOffline(request));
});

const pages = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });
const isAt = (page, url) => new URL(page.url).pathname === url;

const tell = async (said) => {
  const open = await pages();
  if (open.some((page) => isAt(page, said.url) && page.visibilityState === "visible")) return;
  await self.registration.showNotification(said.title, {
    body: said.body,
    tag: said.tag,
    icon: said.icon,
    data: { url: said.url },
  });
};

// Return the path of a URL of this site, else "/".
const within = (url) => {
  const there = new URL(url ?? "/", self.location.origin);
  return there.origin === self.location.origin ? there.pathname : "/";
};

const go = async (url) => {
  const page = (await pages()).find((one) => isAt(one, url));
  await (page ? page.focus() : self.clients.openWindow(url));
};

self.addEventListener("push", (event) => {
  const said = event.data?.json() ?? {};
  event.waitUntil(tell({ ...said, url: within(said.url) }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(go(within(event.notification.data?.url)));
});
