import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type SiteFile, siteFiles } from "../built/files.ts";
import { immutable, sendFile } from "../built/send-file.ts";
import { html } from "../docs/html.ts";
import { layout, sendPage } from "../docs/layout.ts";
import { pageRoots } from "./addresses.ts";

// The component library computes inline styles; there is no inline script.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the built portal at the root, beside the routes of `/docs`, `/public`, `/sync`, `/portal/api` and `/dev`. */
export function portalSite(app: FastifyInstance): void {
  // All are the same document, which shows what its address says.
  for (const path of pageRoots) {
    app.get(path, sendIndex);
    if (path !== "/") app.get(`${path}/*`, sendIndex);
  }
  app.get("/assets/:name", (request, reply) => sendFile(request, reply, asset(request), immutable));
  for (const path of ["/icon.svg", "/boot.js"])
    app.get(path, (request, reply) => sendFile(request, reply, asset(request), "no-cache"));
}

function sendIndex(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // A program that asks for JSON at a page's address made a mistake.
  const { accept = "*/*" } = request.headers;
  if (!/text\/(html|\*)|\*\/\*/.test(accept)) {
    reply.callNotFound();
    return reply;
  }
  const index = siteFiles("portal").get("/index.html");
  if (!index) return sendPage(reply.code(503), notBuilt);
  return sendDocument(request, reply, index);
}

/** Other addresses are for programs and who writes them. */
const others = /^\/(docs|public|sync|portal|dev|caja|assets|openapi)\b/;

/** Someone who mistyped an address of the portal gets its own page, with a way back; undefined where it is not the portal's. */
export function portalNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const index = siteFiles("portal").get("/index.html");
  return index && !others.test(request.url) ? sendDocument(request, reply.code(404), index) : undefined;
}

function sendDocument(request: FastifyRequest, reply: FastifyReply, index: SiteFile): FastifyReply {
  void reply.headers({
    "content-security-policy": policy,
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
  });
  return sendFile(request, reply, index, "no-cache");
}

const asset = (request: FastifyRequest) => siteFiles("portal").get(request.url.split("?", 1)[0]!);

const notBuilt = layout({
  title: "Portal sin construir",
  body: html`
<h1>El portal todavía no está construido</h1>
<p>Detenga el servicio y enciéndalo con <code>npm start</code>, que lo construye en unos segundos, o ejecute <code>npm run build</code>. La API y la <a href="/docs">referencia</a> funcionan mientras tanto.</p>`,
});
