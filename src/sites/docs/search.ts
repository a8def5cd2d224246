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

/** Sections that contain every word, those with matches in the title first. */
export function searchGuides(guides: readonly Guide[], query: string): Found[] {
  const words = foldText(query).split(" ").filter(Boolean);
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
  const matching = places.filter(({ title, text }) => {
    const folded = foldText(`${title} ${text}`);
    return words.every((word) => folded.includes(word));
  });
  const inTitle = (title: string) => words.filter((word) => foldText(title).includes(word)).length;
  return matching
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

export function searchPage(guides: readonly Guide[], query: string): string {
  const found = searchGuides(guides, query);
  const list = found.map(
    ({ href, title, excerpt }) => html`<li><a href="${href}"><strong>${title}</strong>${excerpt}</a></li>`,
  );
  const results =
    found.length > 0
      ? html`<ul class="cards">${list}</ul>`
      : html`<p>Nada coincide con «${query}». Pruebe con otra palabra, o busque en <a href="/docs">la referencia</a>.</p>`;
  return layout({ title: "Buscar", path: guidesPath, body: html`<h1>Buscar</h1>\n${searchForm(query)}\n${results}` });
}
