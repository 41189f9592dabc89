// Synthesized sounds and short vibrations.
// Silent until turned on.
(() => {
  "use strict";

  const $ = (selector) => document.querySelector(selector);
  const kept = (name) => document.body.dataset[name] ?? localStorage.getItem(`parlour-${name}`);
  const isOn = () => kept("sound") === "yes";
  const volume = () => Number(localStorage.getItem("parlour-volume") ?? 60) / 100;
  let audio = null;
  let hiss = null;

  // --- the set: every sound is notes and noise -------------------------------------------------

  const fading = (at, length, gain) => {
    const level = audio.createGain();
    level.gain.setValueAtTime(gain * volume(), at);
    level.gain.exponentialRampToValueAtTime(0.0001, at + length);
    level.connect(audio.destination);
    return level;
  };

  const note = (after, from, to, length, gain, type = "triangle") => {
    const at = audio.currentTime + after;
    const tone = audio.createOscillator();
    tone.type = type;
    tone.frequency.setValueAtTime(from, at);
    tone.frequency.exponentialRampToValueAtTime(to, at + length);
    tone.connect(fading(at, length, gain));
    tone.start(at);
    tone.stop(at + length);
  };

  const noise = (after, pitch, length, gain, type = "bandpass") => {
    const at = audio.currentTime + after;
    const source = audio.createBufferSource();
    const filter = audio.createBiquadFilter();
    source.buffer = hiss;
    filter.type = type;
    filter.frequency.value = pitch;
    source.connect(filter).connect(fading(at, length, gain));
    source.start(at, Math.random() / 2, length);
  };

  const SOUNDS = {
    dice: () => [0, 0.07, 0.13, 0.22, 0.35].forEach((at, nth) => noise(at, 1500 + 400 * (nth % 3), 0.06, 0.9)),
    card: () => noise(0, 3200, 0.14, 0.5, "highpass"),
    coin: () => [0, 0.07].forEach((at, nth) => note(at, [1320, 1980][nth], [1310, 1970][nth], 0.35, 0.25)),
    ballot: () => { noise(0, 700, 0.12, 0.6, "lowpass"); note(0.1, 190, 120, 0.15, 0.5, "sine"); },
    shot: () => { noise(0, 1400, 0.55, 1.6, "lowpass"); note(0, 160, 38, 0.45, 0.9, "sine"); },
    blank: () => { note(0, 1500, 900, 0.03, 0.4, "square"); noise(0.05, 2600, 0.05, 0.4); },
    knock: () => [0, 0.16].forEach((at) => { noise(at, 420, 0.08, 1.2, "lowpass"); note(at, 150, 90, 0.1, 0.6, "sine"); }),
    drum: () => Array.from({ length: 14 }, (_, nth) => noise(nth * 0.11, 260 + 12 * nth, 0.1, 0.25 + nth * 0.03, "lowpass")),
    heartbeat: () => [0, 0.22, 1, 1.22].forEach((at) => note(at, 62, 44, 0.18, 0.9, "sine")),
    stamp: () => { noise(0, 300, 0.16, 1.4, "lowpass"); note(0, 120, 60, 0.14, 0.8, "sine"); },
    crack: () => { noise(0.3, 2400, 0.09, 1, "highpass"); note(0.3, 240, 70, 0.12, 0.6, "square"); }, // delayed, because it follows a stamp
    riser: () => { note(0, 110, 440, 1.1, 0.35, "sawtooth"); noise(0, 900, 1.1, 0.15); },
    tick: () => note(0, 820, 780, 0.05, 0.3, "square"),
    turn: () => [660, 880].forEach((pitch, nth) => note(nth * 0.12, pitch, pitch, 0.3, 0.35)),
    clock: () => note(0, 1050, 1000, 0.04, 0.25, "square"),
    win: () => [523, 659, 784, 1047].forEach((pitch, nth) => note(nth * 0.13, pitch, pitch, 0.5, 0.35)),
    loss: () => [392, 330, 262].forEach((pitch, nth) => note(nth * 0.2, pitch, pitch * 0.97, 0.5, 0.35)),
  };

  // Browsers allow sound only after a touch.
  const open = () => {
    if (!isOn()) return;
    if (!audio) {
      audio = new AudioContext();
      hiss = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
      hiss.getChannelData(0).forEach((_, at, samples) => { samples[at] = Math.random() * 2 - 1; });
    }
    if (audio.state === "suspended") audio.resume().catch(() => {});
  };

  const play = (name) => {
    if (!isOn() || !audio || audio.state !== "running" || !volume()) return;
    SOUNDS[name]?.();
  };

  for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, open, { capture: true });
  // Do not repeat at a beat the sounds that its drawing has played.
  const heard = new Set();
  document.addEventListener("parlour:shown", () => heard.clear());
  document.addEventListener("parlour:beat", ({ detail: { sound } }) => {
    if (!heard.delete(sound)) play(sound);
  });
  document.addEventListener("parlour:clock", () => play("clock"));

  // An element of a drawing names its sounds, and alternating milliseconds of vibration and rest.
  document.addEventListener("parlour:piece", ({ detail: { sounds, felt } }) => {
    for (const name of sounds) {
      heard.add(name);
      play(name);
    }
    if (felt.length) buzz(felt);
  });

  const buzz = (pattern) => {
    if (navigator.userActivation?.hasBeenActive && kept("sound") !== "no") navigator.vibrate?.(pattern);
  };

  document.addEventListener("parlour:turn", (event) => {
    if (!event.detail) return;
    play("turn");
    buzz([80]);
  });

  // --- the settings ----------------------------------------------------------------------------

  const slider = $("#volume");
  if (slider) {
    slider.value = volume() * 100;
    slider.addEventListener("change", () => {
      localStorage.setItem("parlour-volume", slider.value);
      open();
      play("coin");
    });
  }
  const box = $("[data-habit=sound]");
  const tap = $("#sound");
  const draw = (on) => tap?.setAttribute("aria-pressed", String(on));
  draw(isOn());
  tap?.addEventListener("click", () => box.click());
  box?.addEventListener("change", (event) => {
    draw(event.target.checked);
    if (!event.target.checked) return;
    document.body.dataset.sound = "yes"; // stored by room.js
    open();
    audio.resume().then(() => play("turn")).catch(() => {});
  });
})();
