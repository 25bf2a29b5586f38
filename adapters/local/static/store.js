// What this browser remembers: people for all tabs, the rest for this tab. A browser that
// forbids storage still works, until the page is closed.

const spare = new Map();

function box(which) {
  try {
    return which === "local" ? localStorage : sessionStorage;
  } catch {
    return null;
  }
}

export function kept(which, name, otherwise) {
  try {
    const text = box(which)?.getItem(`quizbot.${name}`) ?? spare.get(name);
    return text ? JSON.parse(text) : otherwise;
  } catch {
    return otherwise;
  }
}

export function keep(which, name, value) {
  const text = JSON.stringify(value);
  spare.set(name, text);
  try {
    box(which)?.setItem(`quizbot.${name}`, text);
  } catch {
    // Full or forbidden: the spare copy serves until the page is closed.
  }
}

// crypto.randomUUID is missing on pages that came over plain http from another machine.
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
