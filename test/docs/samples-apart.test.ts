import { execFile } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { readGuides } from "../../src/sites/docs/guides.ts";
import { sharedFolder, sharedService, sharedShop } from "../support/fixtures.ts";
import { openPortal } from "../support/portal.ts";
import { projectDir } from "../support/process.ts";

const run = promisify(execFile);
const service = sharedService();
const shop = sharedShop(service);
const folder = sharedFolder("mostrador-samples-");
const runnable = ["sh", "js", "python", "php"];

/** Samples that are run nowhere else: they move the clock of all, or are the operator's. Each by the guide it stands in. */
const apart = readGuides("http://127.0.0.1:3000").flatMap(({ slug, fences }) =>
  fences
    .filter(({ language, attributes }) => runnable.includes(language) && Object.keys(attributes).length === 0)
    .map(({ language, text }) => ({ slug, language, text })),
);

beforeAll(async () => {
  // What an installed `npx mostrador` does, without the seconds that npx takes.
  const npx = join(folder.path, "npx");
  await writeFile(npx, `#!/bin/sh\nshift\nexec '${process.execPath}' '${projectDir}bin/mostrador.mjs' "$@"\n`);
  await chmod(npx, 0o755);
});

async function shell(text: string, own: Record<string, string> = {}): Promise<string> {
  const file = join(folder.path, "sample.sh");
  await writeFile(file, text.replaceAll("http://127.0.0.1:3000", service.baseUrl));
  const env = {
    ...process.env,
    PATH: `${folder.path}:${process.env.PATH}`,
    MOSTRADOR_API_KEY: shop.key,
    ...own,
  };
  const { stdout } = await run("sh", ["-e", file], { cwd: folder.path, env });
  return stdout;
}

const sampleOf = (slug: string, start: string) => {
  const found = apart.find((one) => one.slug === slug && one.text.includes(start));
  if (!found) throw new Error(`${slug} has no sample with ${start}`);
  return found.text;
};

test("no other sample of a guide goes unrun", () => {
  expect(apart.map(({ slug, text }) => `${slug}: ${text.split(" ").slice(0, 2).join(" ")}`)).toEqual([
    "autenticacion: curl -X",
    // In test/cli/apart.test.ts.
    "descargas: npx http://127.0.0.1:3000/docs/descargas/mostrador-cli.tgz",
    "personas-y-roles: npx mostrador",
    "pruebas-y-reloj: npx mostrador",
    "pruebas-y-reloj: curl http://127.0.0.1:3000/test/v1/clock",
  ]);
});

test("a key that somebody found is reported without one", async () => {
  expect(JSON.parse(await shell(sampleOf("autenticacion", "key-reports")))).toBeTypeOf("object");
});

test("the operator sees who enters, and makes somebody an owner", async () => {
  const owner = await openPortal(service);
  const text = sampleOf("personas-y-roles", "account people")
    .replaceAll("<id de la cuenta>", owner.accountId)
    .replaceAll("persona@ejemplo.com", `${owner.accountId}@example.com`);
  expect(await shell(text, { DATABASE_URL: service.databaseUrl })).toContain(`${owner.accountId}@example.com`);
});

test("the clock of an installation for tests is moved by command and by program", async () => {
  // As a start leaves it.
  await service.deps.pool.query("update installation set environment = 'test'");
  const before = service.deps.clock.offsetMs();
  await shell(sampleOf("pruebas-y-reloj", "clock advance"), { MOSTRADOR_URL: service.baseUrl });
  const [now, moved] = (await shell(sampleOf("pruebas-y-reloj", "test/v1/clock"))).replace("}{", "}\n{").split("\n");
  expect(JSON.parse(now!)).toMatchObject({ offset_ms: expect.any(Number) });
  expect(JSON.parse(moved!)).toMatchObject({ advanced_ms: 26 * 3_600_000 });
  expect(service.deps.clock.offsetMs() - before).toBeGreaterThanOrEqual(26 * 3_600_000);
});
