// A quiz page without reloading: the same forms and links, their answers put in place. Whatever
// goes wrong here, the browser's own way is taken.

const main = () => document.getElementById("main");

async function go(address, options, focus) {
  const answer = await fetch(address, options);
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("main");
  main().replaceWith(document.adoptNode(fresh));
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  document.documentElement.dir = page.documentElement.dir;
  const url = new URL(answer.url);
  history.pushState(null, "", url.pathname + url.search);
  const target = fresh.querySelector(focus) ?? fresh.querySelector("h1");
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: "nearest" });
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches(".answers")) return;
  event.preventDefault();
  if (form.dataset.busy) return;
  form.dataset.busy = "yes";
  const body = new URLSearchParams(new FormData(form, event.submitter));
  try {
    await go(form.action, { method: "POST", body }, `#verdict-${body.get("question")}`);
  } catch {
    const option = document.createElement("input");
    Object.assign(option, { type: "hidden", name: "option", value: body.get("option") });
    form.append(option);
    form.submit();
  }
});

document.addEventListener("click", async (event) => {
  const link = event.target.closest(".verdict a.button");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  try {
    await go(link.href, {}, ".question .ask, #verdict");
    scrollTo({ top: 0 });
  } catch {
    location.assign(link.href);
  }
});

addEventListener("popstate", () => location.reload());

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  const letter = /^[a-j]$/i.test(event.key) ? event.key : /^Key([A-J])$/.exec(event.code)?.[1];
  const forms = document.querySelectorAll("form.answers");
  if (!letter || forms.length !== 1) return;
  forms[0].querySelector(`[aria-keyshortcuts="${letter.toUpperCase()}"]`)?.click();
});
