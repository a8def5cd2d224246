import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** Compresses at build time, as well as possible; the service only sends the bytes. */
export function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    enforce: "post",
    async writeBundle({ dir = "" }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(html|js|css|svg)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const bytes = await readFile(join(dir, name));
          if (bytes.length < 1024) return;
          await writeFile(join(dir, `${name}.br`), brotliCompressSync(bytes));
          await writeFile(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }));
        }),
      );
    },
  };
}
