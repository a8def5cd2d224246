import { readFileSync } from "node:fs";

/** Every address in the portal's own table of pages, in its order. */
export function portalPaths(): string[] {
  const text = readFileSync(new URL("../../portal/src/pages.ts", import.meta.url), "utf8");
  return [...text.matchAll(/(?:page\(|path: )"(\/[^"]*)"/g)].map(([, path]) => path!);
}

/** The address with a record in the place of `:id`, which is looked up by the first part, such as `/ventas`. */
export function pathOf(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replace(/^(\/\w+)\/:id/, (_, kind: string) => {
    if (ids[kind] === undefined) throw new Error(`no record for ${path}`);
    return `${kind}/${ids[kind]}`;
  });
}
