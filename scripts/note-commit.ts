// Writes down, while an image is built, which commit it is built from: `node scripts/note-commit.ts [commit]`.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { commitOf } from "../src/lib/version.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const commit = process.argv[2] || commitOf(root);
if (commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) {
  console.error("No se sabe de qué commit es esta imagen: constrúyala con --build-arg COMMIT=$(git rev-parse HEAD).");
  process.exitCode = 1;
} else {
  writeFileSync(`${root}/build-commit`, `${commit}\n`);
}
