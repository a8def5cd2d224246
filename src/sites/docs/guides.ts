import { readFileSync } from "node:fs";
import { downloadsPath } from "./downloads-path.ts";
import { html } from "./html.ts";
import { layout, type MenuGroup, searchForm } from "./layout.ts";
import { type Document, renderMarkdown } from "./markdown.ts";

/** The guides, in reading order. */
const slugs = [
  "inicio-rapido",
  "de-cero-a-la-primera-venta",
  "autenticacion",
  "paginacion-y-sincronizacion",
  "campos-propios",
  "idempotencia",
  "webhooks",
  "pedidos",
  "conectar-una-tienda",
  "devoluciones",
  "cifras",
  "limites",
  "asistentes",
  "registro-siem",
  "que-no-se-puede",
  "escribir-una-caja",
  "personas-y-roles",
  "pruebas-y-reloj",
  "salir-a-produccion",
  "politica-de-cambios",
  "descargas",
  "novedades",
] as const;

export interface Guide extends Document {
  slug: string;
  path: string;
  source: string;
}

export const guidesPath = "/docs/guias";
/** The address in the sources of the guides; each installation shows its own. */
const sourceUrl = "http://127.0.0.1:3000";

export function readGuides(publicUrl: string): Guide[] {
  return slugs.map((slug) => {
    const file = new URL(`../../../docs/guide/${slug}.md`, import.meta.url);
    const source = readFileSync(file, "utf8").replaceAll(sourceUrl, publicUrl);
    const path = slug === "descargas" ? downloadsPath : `/docs/guia/${slug}`;
    return { slug, path, source, ...renderMarkdown(source) };
  });
}

export function guidesPage(guides: readonly Guide[], menu: readonly MenuGroup[]): string {
  const body = html`
<h1>Guías</h1>
<p>Lo que hace falta para conectar un sistema con Mostrador, en el orden en que conviene leerlo.</p>
${searchForm("")}
<ul class="cards">${guides.map(
    ({ path, title, summary }) => html`<li><a href="${path}"><strong>${title}</strong>${summary}</a></li>`,
  )}
<li><a href="/docs/errores"><strong>Códigos de error</strong>Qué significa cada uno y qué hacer.</a></li>
</ul>
<p>También: <a href="/docs">la referencia</a>, <a href="/public/v1/openapi.json">openapi.json</a>, la <a href="/docs/postman.json">colección para Postman y Bruno</a> y <a href="/llms.txt">llms.txt</a>.</p>`;
  return layout({ title: "Guías", path: guidesPath, body, menu });
}

export function guidePage(guide: Guide, guides: readonly Guide[], menu: readonly MenuGroup[]): string {
  const next = guides[guides.indexOf(guide) + 1];
  const onward = next ? [html`<p class="next">Siguiente: <a href="${next.path}">${next.title}</a></p>`] : [];
  const outline = guide.sections.filter(({ id }) => id);
  return layout({ title: guide.title, path: guide.path, body: html`${guide.html}\n${onward}`, menu, outline });
}
