import React from "react";
import { createRoot } from "react-dom/client";
import { Message } from "slack-blocks-to-jsx";
import "slack-blocks-to-jsx/dist/style.css";

for (const shown of window.messages) {
  const box = document.createElement("div");
  box.className = shown.isPrivate ? "one private" : "one";
  if (shown.isPrivate) {
    const note = document.createElement("div");
    note.className = "note";
    note.textContent = "Only visible to you";
    box.append(note);
  }
  const inner = document.createElement("div");
  box.append(inner);
  document.body.append(box);
  if (shown.form) {
    inner.innerHTML = shown.form;
    continue;
  }
  createRoot(inner).render(
    <Message
      name="quizbot"
      logo={window.logo}
      time={new Date(shown.time * 1000)}
      blocks={shown.blocks}
      data={{ channels: window.channels }}
    />,
  );
}
