import { type Html, html } from "./html.ts";

/** What is said in one language, beside the same in others. */
export interface Panel {
  language: string;
  title: string;
  body: Html;
}

/** One below the other; the page's script makes tabs of them, which remember the language that was chosen last. */
export function tabs(panels: readonly Panel[]): Html {
  const parts = panels.map(
    ({ language, title, body }) =>
      html`<div class="panel" data-language="${language}" data-title="${title}"><p class="language">${title}</p>${body}</div>`,
  );
  return html`<div class="tabs">${parts}</div>`;
}
