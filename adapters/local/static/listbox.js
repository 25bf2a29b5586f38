// A text field with suggestions: the combobox pattern, for keyboard, mouse, touch and speech.

import { announce, make, say } from "./speech.js";

const PAUSE = 120; // milliseconds of rest before the server is asked

let counter = 0;

// `find(text)` gives the items ({ value, title, about }) at once, or a function that asks for
// them; `choose(item)` is told what was taken and returns whether to look again.
export class Suggestions {
  #input;
  #list;
  #find;
  #choose;
  #items = [];
  #active = -1;
  #asked = 0;
  #timer = 0;
  #wantsFirst = false;

  constructor(input, list, find, choose) {
    this.#input = input;
    this.#list = list;
    this.#find = find;
    this.#choose = choose;
    list.id ||= `list-${++counter}`;
    input.addEventListener("input", () => this.look(PAUSE));
    input.addEventListener("keydown", (event) => this.#key(event));
    input.addEventListener("blur", () => setTimeout(() => this.close(), 120));
    // Keep the focus in the field while a suggestion is pressed.
    list.addEventListener("pointerdown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.#take(Number(option.dataset.index));
    });
  }

  get isOpen() {
    return !this.#list.hidden;
  }

  look(pause = 0) {
    clearTimeout(this.#timer);
    const asked = ++this.#asked;
    const found = this.#find(this.#input.value);
    if (Array.isArray(found)) return this.#show(found);
    this.#timer = setTimeout(async () => {
      const items = await found();
      if (asked === this.#asked) this.#show(items);
    }, pause);
  }

  close() {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.#wantsFirst = false;
    this.#list.hidden = true;
    this.#items = [];
    this.#activate(-1);
    this.#input.setAttribute("aria-expanded", "false");
  }

  #show(items) {
    if (!items.length || document.activeElement !== this.#input) return this.close();
    this.#items = items;
    const options = items.map((item, index) =>
      make(
        "li",
        { role: "option", id: `${this.#list.id}-${index}`, "data-index": index, "aria-selected": "false" },
        make("span", { dir: "auto" }, item.title),
        item.about ? make("span", { class: "about", dir: "auto" }, item.about) : null,
      ),
    );
    this.#list.replaceChildren(...options);
    this.#list.scrollTop = 0;
    this.#list.hidden = false;
    this.#input.setAttribute("aria-expanded", "true");
    this.#activate(this.#wantsFirst ? 0 : -1);
    this.#wantsFirst = false;
    announce(say("found", { count: items.length }));
  }

  #key(event) {
    if (event.isComposing) return;
    if (!this.isOpen) {
      if (event.key !== "ArrowDown") return;
      this.#wantsFirst = true;
      this.look();
      event.preventDefault();
      return;
    }
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) {
      const count = this.#items.length;
      const from = this.#active < 0 && move < 0 ? 0 : this.#active;
      this.#activate((from + move + count) % count);
    } else if (event.key === "Escape") {
      this.close();
      event.stopPropagation();
    } else if ((event.key === "Enter" || event.key === "Tab") && this.#active >= 0) {
      this.#take(this.#active);
    } else {
      return;
    }
    event.preventDefault();
  }

  #activate(index) {
    this.#active = index;
    [...this.#list.children].forEach((option, at) => {
      option.setAttribute("aria-selected", String(at === index));
      if (at === index) option.scrollIntoView({ block: "nearest" });
    });
    if (index < 0) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", `${this.#list.id}-${index}`);
  }

  #take(index) {
    const item = this.#items[index];
    this.close();
    if (this.#choose(item)) this.look();
  }
}
