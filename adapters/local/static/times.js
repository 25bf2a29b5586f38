// Instants in the reader's own clock: countdowns move, hours and days are local.

import { speech } from "./speech.js";

function unit(name, count, language) {
  const words = speech.clocks[language] ?? speech.clocks[speech.voice];
  return words?.[name]?.replace("{n}", count);
}

function countdown(left, language) {
  const seconds = Math.max(0, Math.round(left / 1000));
  return seconds >= 120
    ? unit("min", Math.round(seconds / 60), language)
    : unit("s", seconds, language);
}

// The reader's own habits (24 hours, order of the day) where they are of the same language.
function habits(language) {
  const base = language.split("-")[0];
  const own = navigator.languages.find((tag) => tag.split("-")[0] === base);
  return Intl.DateTimeFormat.supportedLocalesOf([own ?? language]);
}

// Browsers know fewer languages than we speak; then the server's words stay.
function local(language, options, date) {
  const known = habits(language);
  return known.length ? new Intl.DateTimeFormat(known, options).format(date) : null;
}

export function clockTime(milliseconds) {
  const date = new Date(milliseconds);
  const isToday = date.toDateString() === new Date().toDateString();
  const day = isToday ? {} : { day: "numeric", month: "numeric" };
  const known = habits(speech.voice);
  // These are only digits, which need no language.
  const options = { ...day, hour: "numeric", minute: "2-digit" };
  return new Intl.DateTimeFormat(known.length ? known : "en-GB", options).format(date);
}

export function showTimes(root, now, only = null) {
  for (const element of root.querySelectorAll("time[data-style]")) {
    const style = element.dataset.style;
    if (only && style !== only) continue;
    const at = new Date(element.dateTime);
    const language = element.closest("[data-language]")?.dataset.language ?? speech.voice;
    const text =
      style === "relative"
        ? countdown(at - now, language)
        : local(
            language,
            style === "time"
              ? { hour: "numeric", minute: "2-digit" }
              : { day: "numeric", month: "long", year: "numeric" },
            at,
          );
    if (text && element.textContent !== text) element.textContent = text;
  }
}
