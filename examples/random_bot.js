// Plays legal moves in every game without knowing its rules, in plain JavaScript.
//
//   node random_bot.js http://127.0.0.1:8000 K7QX2 Nora
//   parlour arena --cmd "node random_bot.js" --game coup     in the arena: packets on stdin, moves on stdout
//
// Node 22 and newer, browsers, Deno and Bun have WebSocket built in. Node 20 has it behind a flag:
//   node --experimental-websocket random_bot.js …        or, without it:  npm install ws
"use strict";

const AWAY = [1001, 1006, 1011, 1012]; // reconnect after these codes; all others are final
const [, , address, room, name = "Nora"] = process.argv;
const Socket = address && (globalThis.WebSocket ?? library());
let token; // anyone who has it is the same player
let pause = 250; // milliseconds until the next attempt
let answered = ""; // the last question answered
let over = 0;

const USAGE = "Usage: node random_bot.js http://127.0.0.1:8000 CODE [NAME]";
if (address ? !room : process.stdin.isTTY) stop(USAGE);
if (address) connect();
else readLines();

// In the arena, every GameDataSync is a question, and gets one line: a move, or null.
function readLines() {
  const write = (line) => process.stdout.write(JSON.stringify(line) + "\n");
  const lines = require("node:readline").createInterface({ input: process.stdin });
  let heard = 0;
  lines.on("close", () => heard || stop(USAGE));
  lines.on("line", (line) => {
    heard++;
    const packet = JSON.parse(line);
    let move = null;
    hear(packet, (type, fields) => (move = { type, ...fields }));
    if (packet.type === "GameDataSync") write(move);
  });
}

function connect() {
  const socket = new Socket(address.replace(/^http/, "ws").replace(/\/+$/, "") + "/api/ws/");
  const send = (type, fields) => socket.send(JSON.stringify({ type, ...fields }));
  socket.onopen = () => send("JoinGame", token ? { room, token } : { room, username: name });
  socket.onmessage = (message) => hear(JSON.parse(message.data), send);
  socket.onclose = ({ code }) => lose(code);
  socket.onerror = () => setTimeout(lose, 100, 1006); // Node 20 may not emit "close" if the server is unreachable
  let lost = false;

  function lose(code) {
    if (lost) return;
    lost = true;
    if (!token) stop(`No Parlour server answers at ${address}.`);
    if (!AWAY.includes(code)) stop(`The server closed the connection (${code}).`);
    setTimeout(connect, pause * (0.5 + Math.random() / 2));
    pause = Math.min(15000, pause * 2);
  }
}

function hear(packet, send) {
  if (packet.type === "PlayerJoinRejected") stop(packet.message);
  if (packet.type === "ShowAlert") console.error(packet.message);
  if (packet.type === "GameJoined" || packet.type === "GameRejoined") {
    token = packet.token ?? token;
    pause = 250;
    answered = "";
    console.log(`${packet.username} sits at ${packet.room}.`);
  }
  if (packet.type === "GameEnd" && address) console.log(`match ${++over}: ${packet.winners} won.`);
  if (packet.type === "GameDataSync") decide(packet.data, send);
}

function decide(data, send) {
  const question = `${data.matchId}/${data.prompt}`;
  const needed = data.awaited.includes(data.you) || data.awaited.length === 0;
  const safe = data.offers.filter((offer) => !offer.risky);
  const offer = pick(safe.length || !needed ? safe : data.offers);
  if (!offer || question === answered) return;
  answered = question;
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
