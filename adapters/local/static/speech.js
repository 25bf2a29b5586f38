// The page's own words, in the language of the person who sits here.

export const speech = { words: {}, clocks: {}, language: "en", voice: "en", languages: [], menu: [] };

const announcer = document.getElementById("announcer");

export function say(name, parts = {}) {
  const sentence = speech.words[name] ?? "";
  return sentence.replace(/\{(\w+)\}/g, (whole, part) => parts[part] ?? whole);
}

export function learn(frame) {
  Object.assign(speech, {
    words: frame.words,
    clocks: frame.clocks,
    language: frame.language,
    voice: frame.voice,
    languages: frame.languages,
    menu: frame.menu.map((each) => ({ ...each, name: each.name.replace(/^\//, "") })),
  });
  document.documentElement.lang = frame.voice;
  document.documentElement.dir = frame.dir;
  document.title = `${say("title")} · quizbot`;
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = say(element.dataset.word);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
  }
  for (const element of document.querySelectorAll("[data-placeholder]")) {
    element.placeholder = say(element.dataset.placeholder);
  }
}

// Tell who listens to the page, without moving their focus. Several in a row are all read.
export function announce(text) {
  const line = document.createElement("p");
  line.textContent = text.slice(0, 600);
  announcer.append(line);
  while (announcer.children.length > 6) announcer.firstChild.remove();
}

// Text without the signs that would turn the words around it.
export function straight(text) {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "");
}

// Make an element; `text` is text and never markup.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}
