// Tells people that it is their turn while no page of ours is open. It keeps no pages and answers no requests:
// a table that is not live is no table.
"use strict";

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

// An address of this site, whatever stands in a message.
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
