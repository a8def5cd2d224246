import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { chooseEncoding } from "../../api/http/compression.ts";
import { html } from "../docs/html.ts";
import { layout, sendPage } from "../docs/layout.ts";
import { type SiteFile, siteFiles } from "./files.ts";

/** The portal's pages. All are the same document, which shows what its address says. */
const pages = [
  "/",
  "/ingreso",
  "/restablecer",
  "/deshacer-correo",
  "/webhooks",
  "/entregas",
  "/eventos",
  "/claves",
  "/solicitudes",
  "/cajas",
  "/documentos",
  "/productos",
  "/inventario",
  "/empezar",
  "/cuenta",
];

// The component library computes inline styles; there is no inline script.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the built portal at the root, beside the routes of `/docs`, `/public`, `/sync`, `/portal/api` and `/dev`. */
export function portalSite(app: FastifyInstance): void {
  for (const path of pages) {
    app.get(path, sendIndex);
    if (path !== "/") app.get(`${path}/*`, sendIndex);
  }
  app.get("/assets/:name", (request, reply) => sendAsset(request, reply));
  for (const path of ["/icon.svg", "/boot.js"])
    app.get(path, (request, reply) => sendAsset(request, reply, "no-cache"));
}

function sendIndex(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // A program that asks for JSON at a page's address made a mistake.
  const { accept = "*/*" } = request.headers;
  if (!/text\/(html|\*)|\*\/\*/.test(accept)) {
    reply.callNotFound();
    return reply;
  }
  const index = siteFiles().get("/index.html");
  if (!index) return sendPage(reply.code(503), notBuilt);
  void reply.headers({
    "content-security-policy": policy,
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-cache",
  });
  return send(request, reply, index);
}

function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  caching = "public, max-age=31536000, immutable",
): FastifyReply {
  const file = siteFiles().get(request.url.split("?", 1)[0]!);
  if (!file) {
    reply.callNotFound();
    return reply;
  }
  void reply.header("cache-control", caching);
  return send(request, reply, file);
}

function send(request: FastifyRequest, reply: FastifyReply, file: SiteFile): FastifyReply {
  void reply.headers({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    vary: "Accept-Encoding",
    etag: file.tag,
  });
  if (request.headers["if-none-match"]?.includes(file.tag)) return reply.code(304).send();
  const encoding = chooseEncoding(request.headers["accept-encoding"]);
  const compressed = encoding && file[encoding];
  if (compressed) void reply.header("content-encoding", encoding);
  return reply.type(file.type).send(compressed ?? file.plain);
}

const notBuilt = layout({
  title: "Portal sin construir",
  body: html`
<h1>El portal todavía no está construido</h1>
<p>Detenga el servicio y enciéndalo con <code>npm start</code>, que lo construye en unos segundos, o ejecute <code>npm run build</code>. La API y la <a href="/docs">referencia</a> funcionan mientras tanto.</p>`,
});
