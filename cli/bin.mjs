#!/usr/bin/env node
// Where `@mostrador/cli` begins. The service packs it with the commands' own sources, their types taken out, so it runs on Node 20.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { endWithStarter } from "./end-with-starter.mjs";

// Node 20 has not yet what the sources use.
Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};
URL.parse ??= (text, base) => (URL.canParse(text, base) ? new URL(text, base) : null);
Promise.withResolvers ??= () => {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};

if (process.argv[2] === "listen") endWithStarter();
const { version, mostrador } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const { runApart } = await import("./lib/src/cli/apart.js");
// npx keeps what it ran from an address in a folder of its own, and runs it again only by that address.
const isOfNpx = fileURLToPath(import.meta.url).includes("_npx");
const called = isOfNpx ? `npx ${mostrador.package}` : "npx mostrador";
const env = { MOSTRADOR_FROM: mostrador.url, ...process.env };
const code = await runApart({ version, called }, process.argv.slice(2), env);
if (code !== 0) process.exit(code);
