import type { FastifyReply } from "fastify";
import { typefacePreload } from "../typeface/routes.ts";
import { type Html, html } from "./html.ts";

export const product = "Mostrador";

/** A group of links in the sidebar. */
export interface MenuGroup {
  title: string;
  links: readonly { path: string; title: string }[];
}

export interface Page {
  title: string;
  /** The address to mark in the sidebar. */
  path?: string;
  body: Html;
  /** Without one, the page has no sidebar. */
  menu?: readonly MenuGroup[];
  /** The sections of the page, beside it on wide screens. */
  outline?: readonly { id: string; title: string }[];
  /** What the page runs besides the site's own script. */
  scripts?: readonly string[];
}

export function layout({ title, path, body, menu, outline = [], scripts = [] }: Page): string {
  const links = menu ? groupsOf(menu, path) : [];
  return html`<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${product}</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
${{ html: typefacePreload }}
${menu && path ? [html`<link rel="alternate" type="text/markdown" href="${path}.md">`] : []}
<link rel="alternate" type="application/atom+xml" title="Novedades" href="/docs/novedades.atom">
<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/language.js"></script>
${["/docs/site.js", ...scripts].map((src) => html`<script type="module" src="${src}"></script>`)}
</head>
<body>
<a class="skip" href="#contenido">Ir al contenido</a>
<header class="site"><a class="name" href="/docs/guias"><img src="/docs/icon.svg" alt="" width="26" height="26">${product} <span>Desarrolladores</span></a>
${searchForm("", "q-site")}
<a class="portal" href="/">Portal</a></header>
${menu ? [html`<details class="menu"><summary>Menú de la documentación</summary><nav aria-label="Documentación">${links}</nav></details>`] : []}
<div class="columns">
${menu ? [html`<nav class="sidebar" aria-label="Secciones de la documentación">${links}</nav>`] : []}
<main class="page" id="contenido" tabindex="-1">${body}</main>
${outline.length > 1 ? [outlineOf(outline)] : []}
</div>
</body>
</html>
`.html;
}

function groupsOf(menu: readonly MenuGroup[], path: string | undefined): Html[] {
  return menu.map(
    ({ title, links }) => html`<p>${title}</p>
<ul>${links.map((link) =>
      link.path === path
        ? html`<li><a href="${link.path}" aria-current="page">${link.title}</a></li>`
        : html`<li><a href="${link.path}">${link.title}</a></li>`,
    )}</ul>`,
  );
}

function outlineOf(outline: readonly { id: string; title: string }[]): Html {
  const links = outline.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`);
  return html`<nav class="outline" aria-label="En esta página"><p>En esta página</p><ul>${links}</ul></nav>`;
}

export function searchForm(query: string, id = "q"): Html {
  return html`<form class="search" action="/docs/buscar" role="search" aria-label="${id === "q" ? "Búsqueda" : "Búsqueda en todo el sitio"}">
<label for="${id}">Buscar en la documentación</label>
<input id="${id}" name="q" type="search" value="${query}" placeholder="Buscar: paginar, 401, firma…" required minlength="2" maxlength="100"><button>Buscar</button></form>`;
}

const ownPages =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The pages of the reference ask this service, and no other. */
export function sendPage(reply: FastifyReply, page: string, { asks = false } = {}): FastifyReply {
  return reply
    .headers({
      "content-security-policy": asks ? `${ownPages}; connect-src 'self'` : ownPages,
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cache-control": "no-cache",
    })
    .type("text/html; charset=utf-8")
    .send(page);
}
