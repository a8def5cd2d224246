import type { FastifyReply } from "fastify";
import { type Html, html } from "./html.ts";

export const product = "Mostrador";

/** The pages of the developer site, in menu order. */
export const menu = [
  { path: "/docs/guias", title: "Guías" },
  { path: "/docs", title: "Referencia" },
  { path: "/docs/errores", title: "Errores" },
];

export interface Page {
  title: string;
  /** The menu entry to highlight. */
  path?: string;
  body: Html;
  /** Without the usual column: the reference has its own layout. */
  bare?: boolean;
  scripts?: readonly string[];
}

export function layout({ title, path, body, bare = false, scripts = [] }: Page): string {
  const links = menu.map((entry) =>
    entry.path === path
      ? html`<a href="${entry.path}" aria-current="page">${entry.title}</a>`
      : html`<a href="${entry.path}">${entry.title}</a>`,
  );
  return html`<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${product}</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header class="site"><a class="name" href="/">${product}</a><nav aria-label="Documentación">${links}</nav></header>
${bare ? body : html`<main class="page">${body}</main>`}
${scripts.map((src) => html`<script src="${src}"></script>`)}
</body>
</html>
`.html;
}

const ownPages =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export function sendPage(reply: FastifyReply, page: string, policy: string = ownPages): FastifyReply {
  return reply
    .headers({
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cache-control": "no-cache",
    })
    .type("text/html; charset=utf-8")
    .send(page);
}
