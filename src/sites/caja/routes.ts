import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { siteFiles } from "../built/files.ts";
import { immutable, sendFile } from "../built/send-file.ts";
import { html } from "../docs/html.ts";
import { layout, sendPage } from "../docs/layout.ts";

/** Neither inline script nor inline style: a product's name can become neither. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The register in a browser. It speaks /sync/v1 like any other register; here are only its files. */
export function cajaSite(app: FastifyInstance): void {
  app.get("/caja", (_request, reply) => reply.redirect("/caja/", 308));
  app.get("/caja/", sendIndex);
  app.get("/caja/assets/:name", (request, reply) => sendFile(request, reply, fileOf(request), immutable));
  // The browser asks for its service worker again by itself: that is how it learns of a new version.
  for (const name of ["sw.js", "manifest.webmanifest", "icon.svg", "icon-192.png", "icon-512.png"])
    app.get(`/caja/${name}`, (request, reply) => sendFile(request, reply, fileOf(request), "no-cache"));
}

function sendIndex(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const index = siteFiles("caja").get("/index.html");
  if (!index) return sendPage(reply.code(503), notBuilt);
  void reply.headers({
    "content-security-policy": policy,
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(self), geolocation=(), microphone=(), usb=(self), serial=(self)",
  });
  return sendFile(request, reply, index, "no-cache");
}

function fileOf(request: FastifyRequest) {
  return siteFiles("caja").get(request.url.split("?", 1)[0]!.slice("/caja".length));
}

const notBuilt = layout({
  title: "Caja sin construir",
  body: html`
<h1>La caja todavía no está construida</h1>
<p>Detenga el servicio y enciéndalo con <code>npm start</code>, que la construye en unos segundos, o ejecute <code>npm run build</code>.</p>`,
});
