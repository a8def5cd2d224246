import { defineConfig } from "vite";
import { compressed } from "../scripts/compressed-build.ts";
import { typeface } from "../scripts/typeface-build.ts";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [typeface("/"), compressed()],
  build: {
    outDir: "dist",
    target: "es2022",
    // The content policy forbids data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
  // For work on the pages: `npx vite portal` beside a running service.
  server: { proxy: { "/portal/api": "http://127.0.0.1:3000", "/dev": "http://127.0.0.1:3000" } },
});
