import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";

/** A built file of the portal, with its compressed variants. */
export interface SiteFile {
  type: string;
  tag: string;
  plain: Buffer;
  br: Buffer | undefined;
  gzip: Buffer | undefined;
}

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

const folder = new URL("../../../portal/dist/", import.meta.url);
let files: ReadonlyMap<string, SiteFile> | undefined;

/** All built files by path; empty without a build. Read once and kept in memory: about 1 MB. */
export function siteFiles(): ReadonlyMap<string, SiteFile> {
  files ??= readAll();
  return files;
}

function readAll(): Map<string, SiteFile> {
  const found = new Map<string, SiteFile>();
  for (const name of fileNames()) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const plain = readFileSync(new URL(name, folder));
    const tag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
    found.set(`/${name}`, { type, tag, plain, br: compressed(name, "br"), gzip: compressed(name, "gz") });
  }
  return found;
}

function fileNames(): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  } catch {
    return [];
  }
}

function compressed(name: string, ending: string): Buffer | undefined {
  try {
    return readFileSync(new URL(`${name}.${ending}`, folder));
  } catch {
    return undefined;
  }
}
