// The room's page: ties the socket to what is shown, and what is pressed to the socket.

import { Composer } from "./composer.js";
import { Forms } from "./forms.js";
import { People } from "./people.js";
import { announce, learn, make, say, speech } from "./speech.js";
import { kept } from "./store.js";
import { sayKeys, Stream } from "./stream.js";
import { Wire } from "./wire.js";

const state = document.getElementById("state");
const earlier = document.getElementById("earlier");
const empty = document.getElementById("empty");
const keyHint = document.getElementById("key-hint");
const language = document.getElementById("language");
let wasLost = false;
let isNew = true;

const people = new People(() => wire.greet());
const wire = new Wire(() => people.hello(), { frame: take, answer, state: lost });
const stream = new Stream(() => wire.now());
const forms = new Forms({
  submit: (token, values, context) => work("fill", { token, values }, { ...context, isForm: true }),
  suggest,
});
const composer = new Composer({
  send: (text) => work("line", { text }, { said: text }),
  ask: (name) => work("ask", { name, options: {} }, { said: `/${name}` }),
  suggest,
  leave: () => stream.focus(),
});

wire.connect();

// --- what comes in ---

function take(frame) {
  if (frame.is === "welcome") welcome(frame);
  else if (frame.is === "post") stream.post(frame);
  else if (frame.is === "edit") stream.edit(frame);
  else if (frame.is === "private") stream.reply(frame, {});
  else if (frame.is === "speech") reworded(frame);
  else if (frame.is === "error") composer.complain(frame.text);
  refresh();
}

function welcome(frame) {
  reworded(frame);
  stream.restore(frame.posts, frame.me);
  earlier.hidden = !frame.more;
  state.textContent = "";
  if (wasLost) announce(say("back"));
  wasLost = false;
  if (isNew && !people.current) people.add();
  if (isNew && location.hash) stream.show(location.hash.slice(1));
  isNew = false;
  refresh();
  if (stream.isEmpty) offerStarters();
}

function reworded(frame) {
  const isOther = frame.voice !== speech.voice;
  learn(frame);
  people.reworded();
  composer.reworded();
  if (isOther) stream.reworded();
  const options = speech.languages.map(([tag, name]) => make("option", { value: tag, lang: tag }, name));
  language.replaceChildren(...options);
  language.value = offered(speech.language);
  document.getElementById("language-field").hidden = !frame.me;
}

// The language of the list that is nearest to the one that is spoken: `en` for `en-GB`.
function offered(tag) {
  const tags = speech.languages.map(([each]) => each);
  const parts = tag.split("-");
  while (parts.length) {
    const found = tags.find((each) => each.toLowerCase() === parts.join("-").toLowerCase());
    if (found) return found;
    parts.pop();
  }
  return "";
}

function answer(request, frame) {
  const { context } = request;
  if (frame.is === "form") {
    forms.open(frame.html, context);
  } else {
    if (context.isForm) forms.close();
    if (frame.is === "reply") {
      // Another person may sit here by now; what was said to the first is theirs.
      if (request.person === people.current?.secret) {
        stream.pressed(context, context.letter);
        stream.reply(frame, context);
      }
    } else if (frame.is === "error") {
      composer.complain(frame.text);
    }
  }
  refresh();
}

// What is said first stays: that quizbot was stopped tells more than that it is not there.
function lost(how) {
  if (!wasLost) state.textContent = say(how) || state.textContent;
  wasLost = true;
  refresh();
}

function refresh() {
  stream.busy(wire.waiting());
  empty.hidden = !stream.isEmpty;
  hint();
}

// Where the focus is in the line, letters are written there: say how they answer all the same.
function hint() {
  const text = sayKeys(stream.openLetters);
  if (keyHint.textContent !== text) keyHint.textContent = text;
}

// --- what goes out ---

// False if nobody sits here yet: then a name is asked for first.
function work(what, data, context) {
  if (!people.current) {
    people.add();
    return false;
  }
  composer.complain("");
  if (!wire.ready) state.textContent = say("waiting");
  wire.ask(what, data, context);
  refresh();
  return true;
}

async function suggest(source, text) {
  const found = await wire.call("suggest", { source, text });
  return found?.choices ?? [];
}

async function offerStarters() {
  const starters = document.getElementById("starters");
  const quiz = speech.menu.find(({ name }) => /(^|-)quiz$/.test(name));
  const found = quiz ? await suggest("topic", "") : [];
  const made = found.slice(0, 6).map((choice) => {
    const button = make(
      "button",
      { type: "button", class: "button" },
      make("span", { dir: "auto" }, choice.label),
    );
    button.addEventListener("click", () =>
      work("ask", { name: quiz.name, options: { topic: choice.value } }, { said: `/${quiz.name} ${choice.value}` }),
    );
    return button;
  });
  starters.replaceChildren(...made);
}

function press(button, values = []) {
  if (button.getAttribute("aria-disabled") === "true") return;
  const element = button.closest(".message");
  const isPrivate = element.classList.contains("private");
  const context = {
    [isPrivate ? "private" : "message"]: element.id,
    letter: button.closest(".answers") ? button.dataset.key : null,
  };
  work(
    "press",
    {
      token: button.dataset.token ?? button.dataset.pick,
      at: wire.now(),
      message: isPrivate ? null : element.id,
      values,
    },
    context,
  );
}

document.getElementById("stream").addEventListener("click", (event) => {
  const dismiss = event.target.closest("[data-dismiss]");
  if (dismiss) {
    stream.dismiss(dismiss.dataset.dismiss);
    refresh();
    return;
  }
  const pick = event.target.closest("[data-pick]");
  if (pick) {
    const { value } = pick.parentElement.querySelector("select");
    if (value) press(pick, [value]);
    return;
  }
  const link = event.target.closest('a[href^="/#"]');
  if (link) {
    if (stream.show(link.hash.slice(1))) event.preventDefault();
    return;
  }
  const button = event.target.closest("[data-token]") ?? buttonOf(event.target);
  if (button) press(button);
});

// An option's line may be pressed as well as its button; who selects text presses nothing.
function buttonOf(target) {
  const option = target.closest(".answerable .option");
  if (!option || target.closest("a, pre") || String(getSelection())) return null;
  return option.closest(".message").querySelector(`.answers [data-key="${option.dataset.letter}"]`);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.repeat) return;
  if (event.target.closest("input, textarea, select, [contenteditable], dialog")) return;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "/") {
    event.preventDefault();
    composer.begin("/");
    return;
  }
  const typed = /^[a-z]$/i.test(event.key) ? event.key : /^Key([A-J])$/.exec(event.code)?.[1];
  if (!typed || !/^[a-j]$/i.test(typed)) return;
  if (!kept("local", "keys", true)) return;
  // On a keyboard with other letters, the place of the key counts.
  const button = stream.answerButton(typed.toUpperCase());
  if (button) press(button);
});

language.addEventListener("change", () => {
  const command = speech.menu.find(({ name }) => /(^|-)language$/.test(name));
  if (!command) return;
  const options = { language: language.value };
  work("ask", { name: command.name, options }, { said: `/${command.name} ${language.value}` });
});

earlier.addEventListener("click", async () => {
  const found = stream.oldest && (await wire.call("earlier", { before: stream.oldest }));
  if (!found) return;
  stream.earlier(found.posts);
  earlier.hidden = !found.more;
});

for (const event of ["focusin", "focusout"]) {
  document.addEventListener(event, () => setTimeout(hint));
}

addEventListener("hashchange", () => stream.show(location.hash.slice(1)));
