import { foldText } from "../../engine/search/search-text.ts";
import { everyError } from "../../lib/errors.ts";
import { type Guide, guidesPath, searchForm } from "./guides.ts";
import { html } from "./html.ts";
import { layout } from "./layout.ts";

export interface Found {
  href: string;
  title: string;
  /** The words around the first match. */
  excerpt: string;
}

const maxResults = 20;
const aroundMatch = 90;

/** Sections that hold every word asked for, those with it in their title first. */
export function searchGuides(guides: readonly Guide[], asked: string): Found[] {
  const words = foldText(asked).split(" ").filter(Boolean);
  if (words.length === 0) return [];
  const places = [
    ...guides.flatMap(({ path, title, sections }) =>
      sections.map((section) => ({
        href: section.id ? `${path}#${section.id}` : path,
        title: section.id ? `${title}: ${section.title}` : title,
        text: section.text,
      })),
    ),
    ...Object.entries(everyError).map(([code, { message }]) => ({
      href: `/docs/errores#${code}`,
      title: code,
      text: message,
    })),
  ];
  const holding = places.filter(({ title, text }) => {
    const folded = foldText(`${title} ${text}`);
    return words.every((word) => folded.includes(word));
  });
  const inTitle = (title: string) => words.filter((word) => foldText(title).includes(word)).length;
  return holding
    .sort((a, b) => inTitle(b.title) - inTitle(a.title))
    .slice(0, maxResults)
    .map(({ href, title, text }) => ({ href, title, excerpt: excerptOf(text, words) }));
}

function excerptOf(text: string, words: readonly string[]): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const at = Math.max(0, foldText(flat).indexOf(words.find((word) => foldText(flat).includes(word)) ?? ""));
  const start = Math.max(0, at - aroundMatch);
  const cut = flat.slice(start, at + aroundMatch);
  return `${start > 0 ? "…" : ""}${cut}${at + aroundMatch < flat.length ? "…" : ""}`;
}

export function searchPage(guides: readonly Guide[], asked: string): string {
  const found = searchGuides(guides, asked);
  const list = found.map(
    ({ href, title, excerpt }) => html`<li><a href="${href}"><strong>${title}</strong>${excerpt}</a></li>`,
  );
  const outcome =
    found.length > 0
      ? html`<ul class="doors">${list}</ul>`
      : html`<p>Nada coincide con «${asked}». Pruebe con otra palabra, o busque en <a href="/docs">la referencia</a>.</p>`;
  return layout({ title: "Buscar", path: guidesPath, body: html`<h1>Buscar</h1>\n${searchForm(asked)}\n${outcome}` });
}
