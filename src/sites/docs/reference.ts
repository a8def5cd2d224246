import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { compress } from "../../api/http/compression.ts";
import { setTag, tagAlreadyHeld } from "../../api/http/etag.ts";
import type { RouteTable } from "../../api/http/route-table.ts";
import { openApiDocument } from "../../api/public/openapi.ts";
import { publicPrefix } from "../../api/public/public-api.ts";
import type { Config } from "../../config.ts";
import { sendBundle } from "./bundle.ts";
import { html } from "./html.ts";
import { layout, sendPage } from "./layout.ts";

export const documentPath = `${publicPrefix}/openapi.json`;

/** The OpenAPI document: open to browsers and without a key. Generated from the routes on the first request. */
export function serveDocument(app: FastifyInstance, config: Config, table: RouteTable): void {
  let cached: { text: string; tag: string } | undefined;
  app.get(documentPath, { onSend: compress }, (request, reply) => {
    cached ??= makeDocument(config, table);
    void reply.header("request-id", request.id).header("cache-control", "no-cache");
    const held = tagAlreadyHeld(request, cached.tag);
    setTag(reply, held ?? cached.tag);
    if (held !== undefined) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(cached.text);
  });
}

function makeDocument(config: Config, table: RouteTable): { text: string; tag: string } {
  const text = JSON.stringify(openApiDocument(table.routes, config));
  return { text, tag: tagOf(text) };
}

export function tagOf(content: string | Buffer): string {
  return `"${createHash("sha1").update(content).digest("base64url")}"`;
}

// Scalar inlines its styles; everything else comes from this installation.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** No test requests, because the API refuses browsers. No fonts, telemetry, proxy or agent from other origins. */
const settings = {
  url: documentPath,
  localization: {
    locale: "es",
    translations: {
      actions: { copyAsMarkdown: "Copiar texto" },
      authentication: { required: "Requiere clave" },
      schema: { enum: "lista" },
    },
  },
  authentication: { preferredSecurityScheme: "bearer", securitySchemes: { bearer: { token: "SU_CLAVE" } } },
  hideTestRequestButton: true,
  hideClientButton: true,
  showDeveloperTools: "never",
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: "direct",
  modelsSectionLabel: "Esquemas",
  orderSchemaPropertiesBy: "preserve",
  orderRequiredPropertiesFirst: false,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
};
const script = `Scalar.createApiReference("#reference", ${JSON.stringify(settings)});\n`;

export function serveReferencePage(app: FastifyInstance): void {
  const page = layout({
    title: "Referencia de la API",
    path: "/docs",
    body: html`<div id="reference"></div>`,
    bare: true,
    scripts: ["/docs/scalar.js", "/docs/reference.js"],
  });
  app.get("/docs", (_request, reply) => sendPage(reply, page, policy));
  app.get("/docs/scalar.js", sendBundle);
  app.get("/docs/reference.js", (_request, reply) =>
    reply.header("cache-control", "no-cache").type("text/javascript; charset=utf-8").send(script),
  );
}
