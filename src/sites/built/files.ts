import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";

/** A file of a built app, with its compressed variants. */
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
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};

export type BuiltApp = "portal" | "caja";
const read = new Map<BuiltApp, ReadonlyMap<string, SiteFile>>();

/** All built files of an app by path; empty without a build. Read once and kept in memory: about 1 MB. */
export function siteFiles(app: BuiltApp): ReadonlyMap<string, SiteFile> {
  const files = read.get(app) ?? readAll(new URL(`../../../${app}/dist/`, import.meta.url));
  read.set(app, files);
  return files;
}

function readAll(folder: URL): Map<string, SiteFile> {
  const found = new Map<string, SiteFile>();
  for (const name of fileNames(folder)) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const plain = readFileSync(new URL(name, folder));
    const tag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
    found.set(`/${name}`, {
      type,
      tag,
      plain,
      br: compressed(folder, name, "br"),
      gzip: compressed(folder, name, "gz"),
    });
  }
  return found;
}

function fileNames(folder: URL): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  } catch {
    return [];
  }
}

function compressed(folder: URL, name: string, ending: string): Buffer | undefined {
  try {
    return readFileSync(new URL(`${name}.${ending}`, folder));
  } catch {
    return undefined;
  }
}
