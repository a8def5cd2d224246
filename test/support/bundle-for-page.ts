import { fileURLToPath } from "node:url";
import { build } from "vite";

/** One script out of a module of this folder and all it imports; its exports become properties of the global `name`. */
export async function bundleForPage(module: string, name: string): Promise<string> {
  const result = await build({
    configFile: false,
    root: fileURLToPath(new URL("../..", import.meta.url)),
    logLevel: "error",
    build: {
      write: false,
      minify: false,
      target: "es2022",
      lib: { entry: fileURLToPath(new URL(module, import.meta.url)), formats: ["iife"], name },
    },
  });
  const [bundle] = Array.isArray(result) ? result : [result];
  if (!bundle || !("output" in bundle)) throw new Error("the bundler watches instead of building");
  return bundle.output[0].code;
}
