// The socket: requests are kept until they are answered, and sent again after a reconnect
// under the same id, so that nothing is lost and the server does nothing twice.

import { kept, keep, newId } from "./store.js";

const PATIENCE = 35_000; // milliseconds without a sign of life until the socket is given up
const PING = 12_000;
const OTHER_CLOCK = 5_000; // milliseconds by which a clock is off that somebody has set anew
const STALE = 120_000; // an unanswered request that is older is dropped at a reload
const LONGEST_PAUSE = 15_000;

export class Wire {
  #socket = null;
  #pending = new Map();
  #calls = new Map();
  #tries = 0;
  #heard = 0;
  #retry = 0;
  #hello;
  #handlers;
  offset = 0;
  ready = false;

  constructor(hello, handlers) {
    this.#hello = hello;
    this.#handlers = handlers;
    for (const request of kept("session", "pending", [])) {
      if (Date.now() - request.asked < STALE) this.#pending.set(request.id, request);
    }
    setInterval(() => this.#beat(), PING);
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => this.#hurry());
  }

  // The server's clock, in milliseconds, as far as this page knows it.
  now() {
    return Date.now() + this.offset;
  }

  connect() {
    clearTimeout(this.#retry);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/room/socket`);
    this.#socket = socket;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.#heard = Date.now();
      this.greet();
    };
    socket.onmessage = (event) => this.#take(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (this.#socket === socket) this.#lost(event.code, opened);
    };
  }

  // Say who sits here; the answer is a new snapshot.
  greet() {
    this.ready = false;
    this.#send({ id: newId(), do: "hello", ...this.#hello() });
  }

  // Ask for something that may change the world; the answer comes to `handlers.answer`.
  ask(what, data, context = {}) {
    const request = { id: newId(), what, data, context, person: this.#hello().person, asked: Date.now() };
    this.#pending.set(request.id, request);
    this.#remember();
    if (this.ready) this.#sendRequest(request);
    return request;
  }

  // Ask for something harmless; null if there is no answer.
  call(what, data) {
    if (!this.ready) return Promise.resolve(null);
    const id = newId();
    return new Promise((resolve) => {
      this.#calls.set(id, resolve);
      this.#send({ id, do: what, ...data });
    });
  }

  waiting() {
    return [...this.#pending.values()];
  }

  #send(frame) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #sendRequest(request) {
    this.#send({ id: request.id, do: request.what, ...request.data });
  }

  #take(frame) {
    this.#heard = Date.now();
    if (frame.now) this.#set(frame.now - Date.now(), frame.is === "welcome");
    if (frame.is === "pong") return;
    if (frame.is === "welcome") {
      this.#tries = 0;
      this.ready = true;
      this.#handlers.frame(frame);
      const mine = this.#hello().person;
      for (const request of this.#pending.values()) {
        if (request.person === mine) this.#sendRequest(request);
      }
      return;
    }
    const call = this.#calls.get(frame.id);
    if (call) {
      this.#calls.delete(frame.id);
      call(frame.is === "error" ? null : frame);
      return;
    }
    const request = this.#pending.get(frame.id);
    if (!request) {
      if (["post", "edit", "private", "speech", "error"].includes(frame.is)) this.#handlers.frame(frame);
      return;
    }
    if (frame.again) {
      setTimeout(() => this.#pending.has(request.id) && this.#sendRequest(request), 1500);
      return;
    }
    this.#pending.delete(request.id);
    this.#remember();
    this.#handlers.answer(request, frame);
  }

  // A frame that was long under way shows less than the truth; the quickest comes nearest to it.
  #set(offset, isFirst) {
    if (isFirst || offset > this.offset || this.offset - offset > OTHER_CLOCK) this.offset = offset;
  }

  #remember() {
    keep("session", "pending", [...this.#pending.values()].slice(-50));
  }

  #beat() {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.#heard > PATIENCE) this.#abandon();
    else this.#send({ id: newId(), do: "ping" });
  }

  // A socket whose other side is gone may take minutes to say so.
  #abandon() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#lost(1006, true);
  }

  #hurry() {
    if (document.visibilityState !== "visible") return;
    const state = this.#socket?.readyState;
    if (state !== WebSocket.OPEN && state !== WebSocket.CONNECTING) this.connect();
    else this.#beat();
  }

  #lost(code, opened) {
    this.ready = false;
    for (const resolve of this.#calls.values()) resolve(null);
    this.#calls.clear();
    this.#handlers.state(code === 1001 ? "stopped" : "lost");
    if (!opened) this.#checkDoor();
    const pause = Math.min(LONGEST_PAUSE, 400 * 2 ** this.#tries);
    this.#tries += 1;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.connect(), pause * (0.6 + Math.random() * 0.4));
  }

  // The socket cannot say that a join code is asked for; the page can.
  async #checkDoor() {
    try {
      const answer = await fetch("/", { redirect: "manual", headers: { Accept: "text/html" } });
      if (answer.type === "opaqueredirect") location.assign("/join");
    } catch {
      // Nobody is there: the next try tells.
    }
  }
}
