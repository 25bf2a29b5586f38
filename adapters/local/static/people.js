// The people of this browser. A person's secret is made here, stays here, and is shown to nobody.

import { make, say, straight } from "./speech.js";
import { kept, keep, newId } from "./store.js";

const LONGEST_NAME = 40;
// Letters and symbols by their kind that nobody sees.
const BLANK = /[\u115f\u1160\u3164\uffa0\u2800\u{1d159}]/gu;

export class People {
  #changed;
  #dialog = document.getElementById("people");
  #naming = document.getElementById("naming");
  #button = document.getElementById("who");

  // `changed` is told when another person sits here, or the same under another name.
  constructor(changed) {
    this.#changed = changed;
    this.#button.addEventListener("click", () => (this.current ? this.#open() : this.add()));
    for (const dialog of [this.#dialog, this.#naming]) {
      dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    }
    addEventListener("storage", () => this.reworded());
  }

  get all() {
    const people = kept("local", "people", []);
    return people.map((each) => ({ ...each, name: straight(each.name) }));
  }

  get current() {
    const chosen = kept("session", "person", null) ?? kept("local", "last", null);
    return this.all.find((each) => each.secret === chosen) ?? this.all[0] ?? null;
  }

  hello() {
    const { secret = null, name = "" } = this.current ?? {};
    return { person: secret, name, locale: navigator.language };
  }

  add() {
    this.#ask("name-title", "join", "", (name) => {
      const person = { secret: newId(), name };
      keep("local", "people", [...this.all, person]);
      this.#sit(person);
    });
  }

  reworded() {
    const name = this.current?.name;
    this.#button.hidden = false;
    this.#button.setAttribute("aria-label", name ? say("person", { name }) : say("join"));
    const face = name ? [faceOf(name), make("bdi", {}, name)] : [say("join")];
    this.#button.replaceChildren(...face);
  }

  #sit(person) {
    keep("session", "person", person.secret);
    keep("local", "last", person.secret);
    this.reworded();
    this.#changed();
  }

  #open() {
    const rows = this.all.map((person) => {
      const isCurrent = person.secret === this.current.secret;
      const button = make(
        "button",
        {
          type: "button",
          class: "button switch",
          "aria-current": isCurrent ? "true" : null,
          "aria-label": say(isCurrent ? "person" : "switch", { name: person.name }),
        },
        faceOf(person.name),
        make("bdi", {}, person.name),
      );
      button.addEventListener("click", () => {
        this.#dialog.close();
        if (!isCurrent) this.#sit(person);
      });
      return make("li", {}, button);
    });
    this.#dialog.replaceChildren(
      make(
        "div",
        { class: "form" },
        make("h2", { id: "people-title" }, say("people")),
        make("ul", { class: "persons", role: "list" }, ...rows),
        make("p", { class: "hint" }, say("add-hint")),
        this.#keys(),
        make(
          "div",
          { class: "row" },
          this.#command("add", () => this.add(), "primary"),
          this.#command("rename", () => this.#rename()),
          this.#command("forget", () => this.#forget()),
          this.#command("close", () => {}),
        ),
      ),
    );
    this.#dialog.showModal();
  }

  // Single keys can be pressed unmeant, above all by who speaks to their machine.
  #keys() {
    const box = make("input", { type: "checkbox" });
    box.checked = kept("local", "keys", true);
    box.addEventListener("change", () => keep("local", "keys", box.checked));
    return make("label", { class: "check" }, box, say("use-keys"));
  }

  #command(word, act, style = "secondary") {
    const button = make("button", { type: "button", class: `button ${style}` }, say(word));
    button.addEventListener("click", () => {
      this.#dialog.close();
      act();
    });
    return button;
  }

  #rename() {
    const { secret, name } = this.current;
    this.#ask("rename", "save", name, (fresh) => {
      const all = this.all.map((each) => (each.secret === secret ? { ...each, name: fresh } : each));
      keep("local", "people", all);
      this.#sit({ secret });
    });
  }

  #forget() {
    const { secret, name } = this.current;
    const sure = make("button", { type: "button", class: "button danger" }, say("forget"));
    sure.addEventListener("click", () => {
      this.#dialog.close();
      keep("local", "people", this.all.filter((each) => each.secret !== secret));
      const next = this.all[0] ?? null;
      keep("session", "person", next?.secret ?? null);
      keep("local", "last", next?.secret ?? null);
      this.reworded();
      this.#changed();
      if (!next) this.add();
    });
    this.#dialog.replaceChildren(
      make(
        "div",
        { class: "form" },
        make("h2", { id: "people-title" }, say("forget-sure", { name })),
        make("div", { class: "row" }, sure, this.#command("cancel", () => {})),
      ),
    );
    this.#dialog.showModal();
  }

  #ask(title, submit, value, done) {
    const input = make("input", {
      type: "text",
      id: "name",
      value,
      maxlength: LONGEST_NAME,
      autocomplete: "nickname",
      dir: "auto",
      "aria-describedby": "name-hint name-wrong",
    });
    const wrong = make("p", { class: "wrong", id: "name-wrong", role: "alert" });
    const cancel = make("button", { type: "button", class: "button secondary" }, say("cancel"));
    cancel.addEventListener("click", () => this.#naming.close());
    const form = make(
      "form",
      { class: "form", method: "dialog", novalidate: true },
      make("h2", { id: "naming-title" }, say(title)),
      make(
        "div",
        { class: "field" },
        make("label", { for: "name" }, say("name")),
        make("p", { class: "hint", id: "name-hint" }, say("name-hint")),
        input,
        wrong,
      ),
      make("div", { class: "row" }, make("button", { class: "button primary" }, say(submit)), cancel),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const name = straight(input.value.replace(/\s+/g, " ")).trim();
      if (!/[\p{L}\p{N}\p{S}]/u.test(name.replace(BLANK, ""))) {
        wrong.textContent = say(name ? "name-unseen" : "name-empty");
        input.setAttribute("aria-invalid", "true");
        input.focus();
        return;
      }
      this.#naming.close();
      done(name);
    });
    this.#naming.replaceChildren(form);
    this.#naming.showModal();
    input.focus();
    input.select();
  }
}

function faceOf(name) {
  const [first = "?"] = Intl.Segmenter
    ? [...new Intl.Segmenter().segment(name)].map((each) => each.segment)
    : name;
  // Drawn by the style sheet: it is no part of what the button is called.
  return make("span", { class: "dot", "data-face": first.toUpperCase() });
}
