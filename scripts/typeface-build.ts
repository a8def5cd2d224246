import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

/** The page asks for its typeface with the first answer, not after its styles; the typeface's licence goes with it. */
export function typeface(base: string): Plugin {
  return {
    name: "typeface",
    apply: "build",
    enforce: "post",
    generateBundle() {
      const path = fileURLToPath(import.meta.resolve("@fontsource-variable/figtree/LICENSE"));
      this.emitFile({ type: "asset", fileName: "assets/figtree-licence.txt", source: readFileSync(path) });
    },
    transformIndexHtml(_html, { bundle = {} }) {
      const fonts = Object.keys(bundle).filter((name) => name.endsWith(".woff2"));
      if (fonts.length !== 1) throw new Error(`the page has one typeface, not ${fonts.length}`);
      const attrs = { rel: "preload", href: `${base}${fonts[0]}`, as: "font", type: "font/woff2", crossorigin: true };
      return [{ tag: "link", attrs, injectTo: "head" }];
    },
  };
}
