import { html } from "./html.ts";
import { layout, type MenuGroup, searchForm } from "./layout.ts";
import { type Place, searchFor } from "./search.ts";

export function searchPage(places: readonly Place[], query: string, menu: readonly MenuGroup[]): string {
  const found = searchFor(places, query);
  const list = found.map(
    ({ href, title, excerpt }) => html`<li><a href="${href}"><strong>${title}</strong>${excerpt}</a></li>`,
  );
  const results =
    found.length > 0
      ? html`<p>${found.length === 1 ? "Un resultado" : `${found.length} resultados`} para «${query}».</p>\n<ul class="cards">${list}</ul>`
      : html`<p>Nada coincide con «${query}». Pruebe con otra palabra, o recorra <a href="/docs">la referencia</a> y <a href="/docs/guias">las guías</a>.</p>`;
  return layout({ title: "Buscar", body: html`<h1>Buscar</h1>\n${searchForm(query)}\n${results}`, menu });
}
