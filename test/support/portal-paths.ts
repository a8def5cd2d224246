import { readFile } from "node:fs/promises";

/** The address of every page of a signed-in owner, as the portal's own table has them. */
export async function portalPaths(): Promise<string[]> {
  const text = await readFile(new URL("../../portal/src/pages.ts", import.meta.url), "utf8");
  return [...text.matchAll(/(?:page\(|path: )"(\/[^"]*)"/g)].map(([, path]) => path!);
}
