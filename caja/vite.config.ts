import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { pageBuild } from "../scripts/page-build.ts";

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

const build = pageBuild(import.meta.dirname, "/caja/", ["/sync"]);
export default { ...build, plugins: [serviceWorker(), build.plugins] };
