import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { posix } from "node:path";
import { parentPort } from "node:worker_threads";

const root = new URL("../../../", import.meta.url);
/** A relative module in `from "…"`, `import "…"` or `import("…")`. */
const imported = /(\bfrom\s*|\bimport\s*\(?\s*)"(\.[^"]+)\.ts"/g;

/** Every file that the commands for integrators are made of, found from the first one, with its types taken out. */
function filesFrom(first: string): [string, string][] {
  const found = new Map<string, string>();
  const ahead = [first];
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    if (found.has(name)) continue;
    const folder = posix.dirname(name);
    const code = stripTypeScriptTypes(readFileSync(new URL(name, root), "utf8"));
    const other = /\bfrom\s*"(?!node:|\.)[^"]+"/.exec(code);
    if (other) throw new Error(`${name} has ${other[0]}: the package has no dependencies`);
    ahead.push(...[...code.matchAll(imported)].map(([, , path]) => posix.join(folder, `${path}.ts`)));
    found.set(name, code.replaceAll(imported, '$1"$2.js"').replaceAll(/[ \t]+$/gm, ""));
  }
  return [...found]
    .map(([name, code]): [string, string] => [`lib/${name.replace(/\.ts$/, ".js")}`, code])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

parentPort!.postMessage(filesFrom("src/cli/apart.ts"));
