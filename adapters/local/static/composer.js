// The line to write in: commands with a menu as one types, and buttons for the most used.

import { Suggestions } from "./listbox.js";
import { make, say, speech } from "./speech.js";

// What the words behind a command are looked up in.
const SOURCES = { quiz: "topic", language: "language" };

export class Composer {
  #line = document.getElementById("line");
  #wrong = document.getElementById("wrong");
  #chips = document.getElementById("chips");
  #suggestions;
  #send;
  #ask;
  #suggest;

  // `leave` takes the focus elsewhere.
  constructor({ send, ask, suggest, leave }) {
    this.#send = send;
    this.#ask = ask;
    this.#suggest = suggest;
    this.#suggestions = new Suggestions(
      this.#line,
      document.getElementById("menu"),
      (text) => this.#find(text),
      (item) => this.#complete(item),
    );
    document.getElementById("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#line.addEventListener("input", () => this.complain(""));
    this.#line.addEventListener("keydown", (event) => {
      // The first Escape closes the suggestions.
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      event.preventDefault();
      leave();
    });
  }

  complain(sentence) {
    this.#wrong.textContent = sentence;
    this.#line.toggleAttribute("aria-invalid", Boolean(sentence));
  }

  begin(text) {
    this.#line.value = text;
    this.#line.focus();
    this.#suggestions.look();
  }

  reworded() {
    const chips = [
      ["quiz", "start", () => this.begin(`/${this.#named("quiz").name} `)],
      ["leaderboard", "leaderboard", (name) => this.#ask(name)],
      ["quizzes", "all-quizzes", (name) => this.#ask(name)],
      ["help", "help", (name) => this.#ask(name)],
    ];
    const made = chips.map(([key, word, press]) => {
      const command = this.#named(key);
      if (!command) return null;
      const chip = make("button", { type: "button", class: "button" }, say(word));
      chip.addEventListener("click", () => press(command.name));
      return chip;
    });
    this.#chips.replaceChildren(...made.filter(Boolean));
  }

  #submit() {
    const text = this.#line.value.trim();
    this.#suggestions.close();
    if (!text) {
      const example = `/${this.#named("quiz")?.name ?? "quiz"}`;
      this.complain(say("nothing-typed", { example }));
      return;
    }
    if (!this.#send(text)) return;
    this.#line.value = "";
    this.complain("");
  }

  // A prefix setting may stand before every name.
  #named(key) {
    return speech.menu.find(({ name }) => name === key || name.endsWith(`-${key}`));
  }

  #find(text) {
    const [, name, rest] = /^\/(\S*)(?:\s+(.*))?$/s.exec(text) ?? [];
    if (name === undefined) return [];
    if (rest === undefined && !/\s$/.test(text)) {
      return speech.menu
        .filter((each) => each.name.startsWith(name.toLowerCase()))
        .map((each) => ({
          value: `/${each.name}`,
          title: each.usage.startsWith("/") ? each.usage : `/${each.name} ${each.usage}`.trim(),
          about: each.description,
          more: each.usage.trim().includes(" ") || !each.usage.startsWith("/"),
        }));
    }
    const key = Object.keys(SOURCES).find((each) => this.#named(each)?.name === name);
    if (!key) return [];
    return async () => {
      const found = await this.#suggest(SOURCES[key], rest ?? "");
      return found
        .filter((choice) => choice.value !== rest)
        .map((choice) => ({
          value: `/${name} ${choice.value}`,
          title: choice.label,
          about: choice.description,
        }));
    };
  }

  #complete(item) {
    this.#line.value = item.more ? `${item.value} ` : item.value;
    return Boolean(item.more);
  }
}
