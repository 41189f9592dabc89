// Plays legal moves in every game without knowing its rules, in plain JavaScript.
//
//   node random_bot.js http://127.0.0.1:8000 K7QX2 Nora
//   PARLOUR_TOKEN=… node random_bot.js http://127.0.0.1:8000 --ladder coup,mia     on the ladder; without games: all
//   parlour arena --cmd "node random_bot.js" --game coup     in the arena: packets on stdin, moves on stdout
//
// Node 22 and newer, browsers, Deno and Bun have WebSocket built in. Node 20 has it behind a flag:
//   node --experimental-websocket random_bot.js …        or, without it:  npm install ws
"use strict";

const AWAY = [1001, 1006, 1011, 1012]; // reconnect after these codes; all others are final
const TABLES = 4; // matches of the ladder at once
const [, , address, room, name] = process.argv;
const Socket = address && (globalThis.WebSocket ?? library());
const site = address?.replace(/\/+$/, "");
let over = 0;

const USAGE = "Usage: node random_bot.js http://127.0.0.1:8000 CODE [NAME], or --ladder [GAMES] instead of the code";
if (address ? !room : process.stdin.isTTY) stop(USAGE);
if (!address) readLines();
else if (room !== "--ladder") play(room, stop);
else if (!process.env.PARLOUR_TOKEN) stop("Set PARLOUR_TOKEN to the token of your program.");
else climb(process.env.PARLOUR_TOKEN, name?.split(","));

// In the arena, every GameDataSync is a question, and gets one line: a move, or null.
function readLines() {
  const write = (line) => process.stdout.write(JSON.stringify(line) + "\n");
  const lines = require("node:readline").createInterface({ input: process.stdin });
  const seat = {};
  let heard = 0;
  lines.on("close", () => heard || stop(USAGE));
  lines.on("line", (line) => {
    heard++;
    const packet = JSON.parse(line);
    if (packet.type !== "GameDataSync") return;
    let move = null;
    decide(seat, packet.data, (type, fields) => (move = { type, ...fields }));
    write(move);
  });
}

// On the ladder, this connection says what we play, and is told where. Each match has its own connection.
function climb(token, games) {
  const tables = new Map();
  keep("/api/ws/", token, stop, (packet, send) => {
    if (packet.type === "Welcome") {
      games ??= packet.games.map((game) => game.slug);
      send("SetAvailable", { games, tables: TABLES, id: 0 });
    }
    if (packet.type === "Done") console.log(`Waiting for matches of ${games.join(", ")}.`);
    if (packet.type === "ActionFailed" && packet.code !== "busy") stop(packet.reason);
    if (packet.type === "TableStart" && !tables.has(packet.room)) {
      const leave = play(packet.room, () => tables.delete(packet.room), token);
      tables.set(packet.room, leave);
    }
    // The end of the match may still be on its way to the other connection.
    if (packet.type === "TableEnd") setTimeout(() => tables.get(packet.room)?.(), 5000);
  });
}

// Sit down at a table and play. `end` is called with a sentence if that is not possible any more.
// Return a function that closes the connection.
function play(code, end, ladder) {
  const seat = { token: ladder }; // anyone who has the token is the same player
  const close = keep(`/api/ws/?room=${code}`, ladder, end, (packet, send) => {
    if (packet.type === "Welcome") {
      seat.answered = "";
      send("JoinGame", seat.token ? { room: code, token: seat.token } : { room: code, username: name ?? "Nora" });
    }
    if (packet.type === "PlayerJoinRejected") close(packet.message);
    if (packet.type === "GameJoined" || packet.type === "GameRejoined") {
      seat.token = packet.token ?? seat.token;
      console.log(`${packet.username} sits at ${code}.`);
    }
    if (packet.type === "GameDataSync") decide(seat, packet.data, send);
    if (packet.type === "GameEnd") {
      const replay = ladder ? ` ${site}/matches/${seat.match}/` : "";
      console.log(`match ${++over}: ${packet.winners} won.${replay}`);
    }
  });
  return close;
}

// Keep a connection open, and give its packets to `hear`. Return a function that closes it for good,
// and tells `end` why.
function keep(path, bearer, end, hear) {
  const headers = bearer ? { Authorization: `Bearer ${bearer}` } : {};
  let socket;
  let wanted = true;
  let welcome = false;
  let pause = 250; // milliseconds until the next attempt
  connect();
  return close;

  function close(sentence) {
    if (!wanted) return;
    wanted = false;
    socket.close();
    end(sentence);
  }

  function connect() {
    if (!wanted) return;
    let last; // the packet that the server is asked to repeat if it was busy
    let lost = false;
    const send = (type, fields) => socket.send((last = JSON.stringify({ type, ...fields })));
    socket = new Socket(site.replace(/^http/, "ws") + path, { headers });
    socket.onmessage = (message) => {
      const packet = JSON.parse(message.data);
      if (packet.type === "Welcome") [welcome, pause] = [true, 250];
      if (packet.type === "ShowAlert") console.error(packet.message);
      if (packet.code === "busy") setTimeout(() => lost || socket.send(last), 250);
      hear(packet, send);
    };
    socket.onclose = ({ code }) => lose(code);
    socket.onerror = () => setTimeout(lose, 100, 1006); // Node 20 may not emit "close" if the server is unreachable

    function lose(code) {
      if (lost || !wanted) return;
      lost = true;
      if (!AWAY.includes(code)) return close(`The server closed the connection (${code}).`);
      if (!welcome) return close(`No Parlour server answers at ${address}.`);
      setTimeout(connect, pause * (0.5 + Math.random() / 2));
      pause = Math.min(15000, pause * 2);
    }
  }
}

function decide(seat, data, send) {
  seat.match = data.matchId;
  const question = `${data.matchId}/${data.prompt}`;
  const needed = data.awaited.includes(data.you) || data.awaited.length === 0;
  const safe = data.offers.filter((offer) => !offer.risky);
  const offer = pick(safe.length || !needed ? safe : data.offers);
  if (!offer || question === seat.answered) return;
  seat.answered = question;
  const args = Object.entries(offer.args).map(([key, of]) => [key, of.oneOf ? pick(of.oneOf) : some(of)]);
  send(offer.move, { prompt: data.prompt, ...Object.fromEntries(args) });
}

function pick(list) {
  return list[Math.floor(Math.random() * list.length)];
}

function some({ some: values, least, most }) {
  const size = least + Math.floor(Math.random() * (most - least + 1));
  const rest = [...values];
  return Array.from({ length: size }, () => rest.splice(Math.floor(Math.random() * rest.length), 1)[0]);
}

function library() {
  try {
    return require("ws");
  } catch {
    stop("This Node has no WebSocket: add --experimental-websocket, or npm install ws.");
  }
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
