// Detects dead WebSockets among those opened by htmx, and reconnects them.
// The server sends something on each of them every 20 s, so silence means that a socket is dead.
(() => {
  "use strict";

  const SILENCE_MS = 45000; // two heartbeats plus slack
  const CONNECTING_MS = 30000; // far more than the slowest working connection needs
  const STANDS_MS = 5000; // connections closed sooner count as failed attempts
  const LOOK_MS = 250;
  const lines = new Map(); // by htmx connection: socket, times of opening and last message, failed attempts

  // Return the state of a connection. It is updated here, because each attempt has a new socket.
  const lineOf = (connection) => {
    const line = lines.get(connection) ?? { failed: 0 };
    lines.set(connection, line);
    if (line.socket === connection.socket) return line;
    Object.assign(line, { socket: connection.socket, heard: Date.now(), opened: 0, over: !connection.socket });
    connection.socket?.addEventListener("message", () => { line.heard = Date.now(); });
    return line;
  };

  // The close event of a dead socket can take a minute. Fire it now, so that htmx reconnects.
  const giveUp = (connection) => connection.socket?.dispatchEvent(new CloseEvent("close", { code: 1006 }));

  // Reconnect with the shortest wait, whatever the state of the connection.
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
  // htmx resets its backoff at every open. Here it is reset only by a connection that lasts.
  document.addEventListener("htmx:ws:close", ({ detail: { connection, reason, code } }) => {
    const line = lineOf(connection);
    if (reason !== "closed" || code >= 4000) { // permanently closed (room.js)
      lines.delete(connection);
      return;
    }
    line.failed = line.opened && Date.now() - line.opened > STANDS_MS ? 0 : line.failed + 1;
    line.over = true;
    clearTimeout(connection.timer); // htmx schedules the next attempt after this event
    connection.attempt = line.failed;
  });
  // Heartbeats are the only JSON messages. They change nothing on the page.
  document.addEventListener("htmx:before:ws:message", (event) => {
    if (event.detail.message.json) event.preventDefault();
  });

  // The network changed: old connections may have died unnoticed.
  window.addEventListener("online", allAgain);
  // The page is visible again: skip the remaining wait.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    look();
    for (const [connection, line] of lines) if (line.over) again(connection);
  });
  setInterval(look, LOOK_MS);
})();
