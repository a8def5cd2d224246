import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));

const partsIn = (text: string): string[] =>
  [...text.matchAll(/import \{([^}]*)\} from "@mantine\/core"/g)].flatMap(([, names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name && !name.startsWith("type ")),
  );

test("each part that the portal takes from the library comes with its style", () => {
  const texts = [...sources("portal/src"), ...sources("ui")];
  const used = [...new Set(texts.flatMap(partsIn))];
  const styled = new Set(
    texts.flatMap((text) => [...text.matchAll(/core\/styles\/(\w+)\.css/g)].map(([, name]) => name)),
  );
  expect(used.length).toBeGreaterThan(10);
  const bare = used.filter((name) => existsSync(`node_modules/@mantine/core/styles/${name}.css`) && !styled.has(name));
  expect(bare).toEqual([]);
});
