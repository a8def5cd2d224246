import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { immutable } from "../built/send-file.ts";

const packaged = "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2";
const font = readFileSync(fileURLToPath(import.meta.resolve(packaged)));
const licence = readFileSync(fileURLToPath(import.meta.resolve("@fontsource-variable/figtree/LICENSE")), "utf8");
const hash = createHash("sha256").update(font).digest("base64url").slice(0, 8);

/** Where pages that are not built find the typeface; the name changes with its content. */
export const typefacePath = `/docs/figtree-${hash}.woff2`;
export const typefaceCss = readFileSync(new URL("typeface.css", import.meta.url), "utf8").replace(
  packaged,
  typefacePath,
);
/** For the head of a page: the font comes with the style sheet, not after it. */
export const typefacePreload = `<link rel="preload" href="${typefacePath}" as="font" type="font/woff2" crossorigin>`;

export function typefaceRoutes(app: FastifyInstance): void {
  app.get(typefacePath, (_request, reply) =>
    reply.headers({ "cache-control": immutable, "x-content-type-options": "nosniff" }).type("font/woff2").send(font),
  );
  app.get("/docs/figtree-licence.txt", (_request, reply) =>
    reply.header("cache-control", "no-cache").type("text/plain; charset=utf-8").send(licence),
  );
}
