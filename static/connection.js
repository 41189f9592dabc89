// Keeps every line of a page to the server alive: htmx opens them, and this gives up those that are dead.
// The server says something over each every 20 s, so that silence means that the line has gone.
(() => {
  "use strict";

  const SILENCE_MS = 45000; // two heartbeats and a little
  const CONNECTING_MS = 30000; // far more than the slowest line needs that works at all
  const STANDS_MS = 5000; // what ends sooner did not stand, and the waits between attempts go on growing
  const LOOK_MS = 250;
  const lines = new Map(); // by htmx's connection: its socket, when it was opened and heard, failed attempts

  // What the socket of a connection is up to; every attempt makes another socket.
  const lineOf = (connection) => {
    const line = lines.get(connection) ?? { failed: 0 };
    lines.set(connection, line);
    if (line.socket === connection.socket) return line;
    Object.assign(line, { socket: connection.socket, heard: Date.now(), opened: 0, over: !connection.socket });
    connection.socket?.addEventListener("message", () => { line.heard = Date.now(); });
    return line;
  };

  // A dead line would take another minute to say that it is closed: the next attempt does not wait for it, and closes it.
  const giveUp = (connection) => connection.socket?.dispatchEvent(new CloseEvent("close", { code: 1006 }));

  // Whatever a line was up to, open, opening or waiting longer and longer: it is opened anew with the shortest wait.
  const again = (connection) => {
    Object.assign(lineOf(connection), { failed: -1, opened: 0 });
    giveUp(connection);
  };
  const allAgain = () => { for (const connection of lines.keys()) again(connection); };

  const look = () => {
    for (const connection of lines.keys()) {
      const line = lineOf(connection);
      const limit = line.socket?.readyState === WebSocket.CONNECTING ? CONNECTING_MS : SILENCE_MS;
      if (!line.over && Date.now() - line.heard > limit) giveUp(connection);
    }
  };

  document.addEventListener("htmx:before:ws:connection", (event) => lineOf(event.detail.connection));
  document.addEventListener("htmx:after:ws:connection", (event) => {
    const line = lineOf(event.detail.connection);
    line.opened = line.heard = Date.now();
  });
  // htmx begins anew with its short waits at every open; here only what has stood counts.
  document.addEventListener("htmx:ws:close", ({ detail: { connection, reason, code } }) => {
    const line = lineOf(connection);
    if (reason !== "closed" || code >= 4000) { // it is not opened any more (room.js)
      lines.delete(connection);
      return;
    }
    line.failed = line.opened && Date.now() - line.opened > STANDS_MS ? 0 : line.failed + 1;
    line.over = true;
    clearTimeout(connection.timer); // one attempt at a time: htmx plans the next after this
    connection.attempt = line.failed;
  });
  // A heartbeat is all that comes as JSON; it changes nothing on the page.
  document.addEventListener("htmx:before:ws:message", (event) => {
    if (event.detail.message.json) event.preventDefault();
  });

  // The network has changed: what was open over the old one may be dead without knowing it.
  window.addEventListener("online", allAgain);
  // Somebody looks again: what waits has waited long enough.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    look();
    for (const [connection, line] of lines) if (line.over) again(connection);
  });
  setInterval(look, LOOK_MS);
})();
