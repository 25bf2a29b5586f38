// Forms from the server in a dialog; errors come back at their fields.

import { Suggestions } from "./listbox.js";
import { make } from "./speech.js";

export class Forms {
  #dialog = document.getElementById("form");
  #submit;
  #suggest;
  #context = {};

  constructor({ submit, suggest }) {
    this.#submit = submit;
    this.#suggest = suggest;
    this.#dialog.addEventListener("click", (event) => {
      if (event.target.closest("[data-close]")) this.#dialog.close();
    });
    this.#dialog.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send(event.target);
    });
  }

  open(html, context) {
    this.#context = context;
    this.#dialog.innerHTML = html;
    for (const input of this.#dialog.querySelectorAll("[data-source]")) this.#searchable(input);
    if (!this.#dialog.open) this.#dialog.showModal();
    const first = this.#dialog.querySelector("[aria-invalid]") ?? this.#dialog.querySelector("[name]");
    first?.focus();
  }

  close() {
    this.#dialog.close();
  }

  #send(form) {
    const button = form.querySelector("[type=submit]");
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    const values = Object.fromEntries(new FormData(form));
    this.#submit(form.dataset.token, values, this.#context);
  }

  #searchable(input) {
    const list = make("ul", { class: "listbox", role: "listbox", hidden: true });
    list.setAttribute("aria-label", input.labels[0]?.textContent ?? "");
    input.after(list);
    // It opens as one types or asks for it, so that it stands in nobody's way.
    new Suggestions(
      input,
      list,
      (text) => async () =>
        (await this.#suggest(input.dataset.source, text)).map((each) => ({
          value: each.value,
          title: each.label,
          about: each.description,
        })),
      (item) => {
        input.value = item.value;
        return false;
      },
    );
    for (const [name, value] of [
      ["role", "combobox"],
      ["aria-expanded", "false"],
      ["aria-controls", list.id],
      ["aria-autocomplete", "list"],
    ]) {
      input.setAttribute(name, value);
    }
  }
}
