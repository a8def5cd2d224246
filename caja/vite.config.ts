import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { compressed } from "../scripts/compressed-build.ts";
import { typeface } from "../scripts/typeface-build.ts";

/** Writes the service worker with the list of the files it keeps, and a version that changes with any of them. */
function serviceWorker(): Plugin {
  const kept = ["icon.svg", "icon-192.png", "manifest.webmanifest"];
  return {
    name: "service-worker",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|woff2)$/.test(name));
      const hash = createHash("sha256").update(readFileSync(join(import.meta.dirname, "sw.js")));
      hash.update(readFileSync(join(import.meta.dirname, "index.html")));
      for (const name of names.sort()) hash.update(name);
      const urls = [...names, ...kept].map((name) => `/caja/${name}`);
      const source = readFileSync(join(import.meta.dirname, "sw.js"), "utf8")
        .replace('"__VERSION__"', JSON.stringify(hash.digest("hex").slice(0, 16)))
        .replace("__FILES__", JSON.stringify(urls));
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base: "/caja/",
  plugins: [typeface("/caja/"), serviceWorker(), compressed()],
  build: {
    outDir: "dist",
    target: "es2022",
    // The content policy forbids data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // For work on the screens: `npx vite caja` beside a running service.
  server: { proxy: { "/sync": "http://127.0.0.1:3000" } },
});
