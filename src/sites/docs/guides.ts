import { readFileSync } from "node:fs";
import { downloadsPath } from "./downloads-path.ts";
import { html } from "./html.ts";
import { layout, type MenuGroup, searchForm } from "./layout.ts";
import { type Document, renderMarkdown } from "./markdown.ts";

/** The guides in reading order, under what somebody comes to do. */
export const guideGroups = [
  { title: "Empezar", slugs: ["inicio-rapido", "de-cero-a-la-primera-venta", "autenticacion", "descargas"] },
  {
    title: "Por tarea",
    slugs: [
      "conectar-una-tienda",
      "contabilidad",
      "inteligencia-de-negocios",
      "cuadre-del-dia",
      "documentos-rechazados",
      "asistentes",
      "registro-siem",
    ],
  },
  {
    title: "Cómo funciona",
    slugs: [
      "paginacion-y-sincronizacion",
      "idempotencia",
      "webhooks",
      "pedidos",
      "compras-e-inventario",
      "campos-propios",
      "devoluciones",
      "cifras",
      "costos-y-margen",
      "limites",
      "que-no-se-puede",
      "escribir-una-caja",
      "personas-y-roles",
    ],
  },
  { title: "Poner en marcha", slugs: ["pruebas-y-reloj", "salir-a-produccion", "politica-de-cambios", "novedades"] },
] as const;

const slugs = guideGroups.flatMap((group): readonly string[] => group.slugs);

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
${guideGroups.map(
  (group) => html`<h2>${group.title}</h2>
<ul class="cards">${guidesOf(guides, group).map(
    ({ path, title, summary }) => html`<li><a href="${path}"><strong>${title}</strong>${summary}</a></li>`,
  )}</ul>`,
)}
<ul class="cards"><li><a href="/docs/errores"><strong>Códigos de error</strong>Qué significa cada uno y qué hacer.</a></li>
</ul>
<p>También: <a href="/docs">la referencia</a>, <a href="/public/v1/openapi.json">openapi.json</a>, la <a href="/docs/postman.json">colección para Postman y Bruno</a> y <a href="/llms.txt">llms.txt</a>.</p>`;
  return layout({ title: "Guías", path: guidesPath, body, menu });
}

export function guidesOf(guides: readonly Guide[], { slugs: own }: (typeof guideGroups)[number]): Guide[] {
  return guides.filter(({ slug }) => (own as readonly string[]).includes(slug));
}

export function guidePage(guide: Guide, guides: readonly Guide[], menu: readonly MenuGroup[]): string {
  const next = guides[guides.indexOf(guide) + 1];
  const onward = next ? [html`<p class="next">Siguiente: <a href="${next.path}">${next.title}</a></p>`] : [];
  const outline = guide.sections.filter(({ id }) => id);
  return layout({ title: guide.title, path: guide.path, body: html`${guide.html}\n${onward}`, menu, outline });
}
