import type { UserConfig } from "vite";
import { compressed } from "./compressed-build.ts";
import { typeface } from "./typeface-build.ts";

/** How the portal and Caja are built; `proxied` goes to a service that runs beside `npx vite <folder>`. */
export function pageBuild(folder: string, base: string, proxied: readonly string[]): UserConfig {
  return {
    root: folder,
    base,
    plugins: [typeface(base), compressed()],
    build: {
      outDir: "dist",
      target: "es2022",
      // The content policy forbids data: addresses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1_000,
    },
    server: { proxy: Object.fromEntries(proxied.map((path) => [path, "http://127.0.0.1:3000"])) },
  };
}
