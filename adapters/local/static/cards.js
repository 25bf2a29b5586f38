// One message as a card. A card that changes keeps whatever of it stays the same.

import { make, say, straight } from "./speech.js";
import { clockTime, showTimes } from "./times.js";

export class Cards {
  #elements = new Map();
  #sources = new WeakMap();
  #now;

  // `now` gives the server's time.
  constructor(now) {
    this.#now = now;
  }

  get all() {
    return this.#elements.values();
  }

  get(key) {
    return this.#elements.get(key);
  }

  // Drop every card that is not among these.
  keepOnly(elements) {
    const wanted = new Set(elements);
    for (const [key, element] of this.#elements) {
      if (wanted.has(element)) continue;
      element.remove();
      this.#elements.delete(key);
    }
  }

  // A message of the channel, with the letter that the reader pressed, if any.
  post(shown, letter) {
    const element = this.#card(shown, "public", () => [time(shown.at)]);
    markPressed(element, letter);
    return element;
  }

  // A reply that only this person sees.
  reply(shown) {
    return this.#card(shown, "private", () => [
      make("span", { class: "only" }, say("private")),
      shown.said ? make("bdi", { class: "said" }, straight(shown.said)) : null,
      time(shown.at),
      make(
        "button",
        { type: "button", class: "button dismiss", "data-dismiss": shown.key },
        say("dismiss"),
      ),
    ]);
  }

  #card(shown, kind, stamp) {
    const element = this.get(shown.key) ?? this.#fresh(shown.key, kind, stamp());
    const content = element.querySelector(".content");
    content.lang = shown.lang;
    content.dir = shown.dir;
    element.dataset.language = shown.lang;
    this.#change(element, content, shown.html);
    const isOpen = Boolean(content.querySelector(".answers .button"));
    element.classList.toggle("answerable", isOpen);
    return element;
  }

  #fresh(key, kind, stamp) {
    const element = make("li", { class: `message card ${kind}`, id: key, tabindex: "-1" });
    const content = make("div", { class: "content" });
    const line = make("div", { class: "stamp" }, ...stamp);
    // So much room beside it the first line leaves: on another day its date is there too.
    element.style.setProperty("--stamp", `${line.textContent.length + 2}ch`);
    element.append(...(kind === "private" ? [line, content] : [content, line]));
    this.#elements.set(key, element);
    return element;
  }

  // Change only what differs: a running count must not take the focus off a button, nor a
  // button away from under a finger.
  #change(element, content, html) {
    if (this.#sources.get(content) === html) return;
    this.#sources.set(content, html);
    const template = document.createElement("template");
    template.innerHTML = html;
    const wanted = [...template.content.children];
    const hadFocus = content.contains(document.activeElement);
    content.querySelector(".pressed-note")?.remove();
    wanted.forEach((fresh, index) => {
      const source = fresh.outerHTML;
      const old = content.children[index];
      if (old && this.#sources.get(old) === source) return;
      this.#sources.set(fresh, source);
      if (old) old.replaceWith(fresh);
      else content.append(fresh);
    });
    while (content.children.length > wanted.length) content.lastChild.remove();
    showTimes(content, this.#now());
    if (hadFocus && !content.contains(document.activeElement)) {
      element.focus({ preventScroll: true });
    }
  }
}

// Show which answer was pressed: by its looks, by its state and in words.
function markPressed(element, letter) {
  element.querySelector(".pressed-note")?.remove();
  const buttons = [...element.querySelectorAll(".answers [data-key]")];
  for (const button of buttons) {
    const isIt = button.dataset.key === letter;
    button.classList.toggle("pressed", isIt);
    if (letter) button.setAttribute("aria-pressed", String(isIt));
    else button.removeAttribute("aria-pressed");
  }
  if (letter && buttons.length) {
    const note = make("p", { class: "pressed-note" }, say("pressed", { letter }));
    buttons.at(-1).parentElement.after(note);
  }
}

function time(milliseconds) {
  return make("time", {}, clockTime(milliseconds));
}
