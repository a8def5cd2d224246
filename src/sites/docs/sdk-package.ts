import { readdirSync, readFileSync } from "node:fs";
import { npmPackage } from "./npm-package.ts";

/** The client as `npm pack` would package it, from the built files. */
export function sdkPackage(): Buffer {
  const root = new URL("../../../sdk/", import.meta.url);
  const built = readdirSync(new URL("dist/", root)).sort();
  const files = ["package.json", "README.md", ...built.map((name) => `dist/${name}`)];
  return npmPackage(new Map(files.map((name) => [name, readFileSync(new URL(name, root))])));
}
