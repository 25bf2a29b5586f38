// The channel's messages and, between them, the replies that only this person sees.

import { Cards } from "./cards.js";
import { announce, say } from "./speech.js";
import { kept, keep } from "./store.js";
import { showTimes } from "./times.js";

// How the keys answer from where the focus is; empty where they do not.
export function sayKeys(letters) {
  if (!letters.length || !kept("local", "keys", true)) return "";
  const isWriting = document.activeElement?.matches("input, textarea");
  return say(isWriting ? "escape-keys" : "keys", { first: letters[0], last: letters.at(-1) });
}

const MOST_PRIVATE = 60;
const MOST_PRESSED = 300;
const NEAR = 140; // pixels from the end within which one is taken to read the newest

export class Stream {
  #list = document.getElementById("stream");
  #main = document.getElementById("main");
  #newer = document.getElementById("newer");
  #posts = [];
  #privates = [];
  #cards;
  #me = null;
  #isFirst = true;

  constructor(now) {
    this.#cards = new Cards(now);
    this.#newer.addEventListener("click", () => this.#toEnd());
    this.#main.addEventListener("scroll", () => {
      if (this.#isNear()) this.#newer.hidden = true;
    });
    // A keyboard that opens or a window that shrinks must not hide the newest message.
    let isAtEnd = true;
    this.#main.addEventListener("scroll", () => (isAtEnd = this.#isNear(8)), { passive: true });
    new ResizeObserver(() => isAtEnd && this.#toEnd()).observe(this.#main);
    setInterval(() => showTimes(this.#list, now(), "relative"), 1000);
  }

  get oldest() {
    return this.#posts.find((post) => post.row)?.row ?? null;
  }

  get last() {
    return this.#posts.at(-1)?.key ?? null;
  }

  get isEmpty() {
    return !this.#posts.length && !this.#privates.length;
  }

  // The whole room as it stands now; earlier messages that were loaded already stay.
  restore(posts, me) {
    const isNear = this.#isNear();
    const before = new Set(this.#posts.map((post) => post.key));
    const fresh = new Set(posts.map((post) => post.key));
    const first = posts[0]?.row ?? Infinity;
    const older = this.#posts.filter((post) => !fresh.has(post.key) && post.row && post.row < first);
    this.#posts = [...older, ...posts];
    this.#seat(me);
    this.#draw();
    const missed = posts.filter((post) => !before.has(post.key));
    if (this.#isFirst || isNear) this.#toNewest();
    else if (missed.length) this.#newer.hidden = false;
    if (!this.#isFirst) missed.slice(-1).forEach((post) => this.#tellPost(post.key));
    this.#isFirst = false;
  }

  earlier(posts) {
    const known = new Set(this.#posts.map((post) => post.key));
    const height = this.#main.scrollHeight;
    this.#posts.unshift(...posts.filter((post) => !known.has(post.key)));
    this.#draw();
    this.#main.scrollTop += this.#main.scrollHeight - height;
  }

  post(frame) {
    if (this.#posts.some((post) => post.key === frame.key)) return this.edit(frame);
    const isNear = this.#isNear();
    this.#posts.push(frame);
    this.#draw();
    this.#tellPost(frame.key);
    if (isNear) this.#reveal(this.#cards.get(frame.key));
    else this.#newer.hidden = false;
  }

  edit(frame) {
    const post = this.#posts.find((each) => each.key === frame.key);
    if (!post) return;
    const isAtEnd = this.#isNear(8);
    const wasOpen = this.#cards.get(post.key)?.classList.contains("answerable");
    Object.assign(post, { html: frame.html, lang: frame.lang, dir: frame.dir });
    const element = this.#cards.post(post, this.#letters()[post.key]);
    if (wasOpen && !element.classList.contains("answerable")) this.#tellClosed(element);
    if (isAtEnd) this.#toEnd();
  }

  // A reply for this person alone, after the message that it answers.
  reply(frame, context) {
    const old = this.#privates.find((each) => each.key === context.private);
    const origin = old?.message ?? context.message ?? null;
    if (old && frame.replaces) {
      Object.assign(old, { html: frame.html, lang: frame.lang, dir: frame.dir, at: frame.at });
    } else {
      this.#privates.push({
        key: `p-${frame.key ?? frame.id}`,
        html: frame.html,
        lang: frame.lang,
        dir: frame.dir,
        at: frame.at,
        said: context.said ?? null,
        message: origin,
        after: old?.after ?? context.message ?? this.last,
      });
    }
    this.#privates = this.#privates.slice(-MOST_PRIVATE);
    this.#keepPrivates();
    this.#draw();
    const shown = old && frame.replaces ? old : this.#privates.at(-1);
    const element = this.#cards.get(shown.key);
    this.#reveal(element);
    announce(`${say("private")} ${element.querySelector(".content").innerText}`);
  }

  dismiss(key) {
    const element = this.#cards.get(key);
    const next = element.nextElementSibling ?? element.previousElementSibling ?? this.#main;
    const hadFocus = element.contains(document.activeElement);
    this.#privates = this.#privates.filter((each) => each.key !== key);
    this.#keepPrivates();
    this.#draw();
    if (hadFocus) next.focus({ preventScroll: true });
  }

  // Remember which letter was pressed; the first one stands, as it does in the game.
  pressed(context, letter) {
    const origin = this.#privates.find((each) => each.key === context.private)?.message;
    const message = context.message ?? origin;
    if (!message || !letter || !this.#me) return;
    const letters = this.#letters();
    if (letters[message]) return;
    const entries = [...Object.entries(letters), [message, letter]].slice(-MOST_PRESSED);
    keep("local", `pressed.${this.#me}`, Object.fromEntries(entries));
    this.#draw();
  }

  // Which buttons wait for an answer.
  busy(requests) {
    const tokens = new Set(requests.map((each) => each.context.private ?? each.context.message));
    for (const element of this.#cards.all) {
      const isBusy = tokens.has(element.id);
      for (const button of element.querySelectorAll("[data-token], [data-pick]")) {
        if (isBusy) button.setAttribute("aria-disabled", "true");
        else button.removeAttribute("aria-disabled");
      }
    }
  }

  // The answer button of the newest open question for this letter.
  answerButton(letter) {
    return this.#newestOpen()?.querySelector(`.answers [data-key="${letter}"]`) ?? null;
  }

  // The letters by which the newest open question can be answered; none once it was.
  get openLetters() {
    const buttons = [...(this.#newestOpen()?.querySelectorAll(".answers [data-key]") ?? [])];
    if (buttons.some((each) => each.classList.contains("pressed"))) return [];
    return buttons.map((each) => each.dataset.key);
  }

  // Put the focus on the newest open question, else on the messages.
  focus() {
    const element = this.#newestOpen();
    if (element) this.#reveal(element);
    (element ?? this.#main).focus({ preventScroll: true });
  }

  reworded() {
    this.#cards.keepOnly([]);
    this.#draw();
  }

  show(key) {
    const element = this.#cards.get(key);
    element?.scrollIntoView({ block: "start" });
    element?.focus({ preventScroll: true });
    return Boolean(element);
  }

  // --- drawing ---

  #newestOpen() {
    return [...this.#list.querySelectorAll(".message.answerable")].at(-1) ?? null;
  }

  #seat(me) {
    if (this.#me === me) return;
    this.#me = me;
    this.#privates = me ? kept("session", `private.${me}`, []) : [];
  }

  #keepPrivates() {
    if (this.#me) keep("session", `private.${this.#me}`, this.#privates);
  }

  #draw() {
    const letters = this.#letters();
    const known = new Set(this.#posts.map((post) => post.key));
    const rows = this.#privates.filter((each) => !known.has(each.after));
    const order = rows.map((each) => this.#cards.reply(each));
    for (const post of this.#posts) {
      order.push(this.#cards.post(post, letters[post.key]));
      for (const each of this.#privates) {
        if (each.after === post.key) order.push(this.#cards.reply(each));
      }
    }
    this.#cards.keepOnly(order);
    order.forEach((element, index) => {
      if (this.#list.children[index] !== element) {
        this.#list.insertBefore(element, this.#list.children[index] ?? null);
      }
    });
  }

  // Which letter this person pressed, by message.
  #letters() {
    return this.#me ? kept("local", `pressed.${this.#me}`, {}) : {};
  }

  // --- telling and scrolling ---

  #tellPost(key) {
    const element = this.#cards.get(key);
    if (!element) return;
    const [heading, first] = element.querySelectorAll(".content > :is(h2, p)");
    const words = [heading, first].map((each) => each?.innerText).filter(Boolean).join(". ");
    const isQuestion = element.classList.contains("answerable");
    const keys = [...element.querySelectorAll(".answers [data-key]")].map((each) => each.dataset.key);
    const how = isQuestion ? sayKeys(keys) : "";
    announce(isQuestion ? `${say("posted", { question: words })} ${how}`.trim() : words);
  }

  #tellClosed(element) {
    const [, , right] = element.querySelectorAll(".content > :is(h2, p)");
    announce(say("closed", { answer: right?.innerText ?? "" }));
  }

  #isNear(pixels = NEAR) {
    const { scrollHeight, scrollTop, clientHeight } = this.#main;
    return scrollHeight - scrollTop - clientHeight < pixels;
  }

  #toEnd() {
    this.#main.scrollTop = this.#main.scrollHeight;
    this.#newer.hidden = true;
  }

  #toNewest() {
    this.#toEnd();
    if (this.#list.lastElementChild) this.#reveal(this.#list.lastElementChild);
  }

  // A message that is taller than the screen is read from its top.
  #reveal(element) {
    const isTall = element.offsetHeight > this.#main.clientHeight - 32;
    element.scrollIntoView({ block: isTall ? "start" : "nearest" });
    if (!element.nextElementSibling && !isTall) this.#toEnd();
  }
}
