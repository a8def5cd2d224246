import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildApp } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { createPool } from "../src/db/create-pool.ts";
import { startEmbedded } from "../src/db/embedded.ts";
import { migrate } from "../src/db/migrate.ts";
import { makeDeps } from "../src/operations/make-deps.ts";
import { retentionPage } from "../src/privacy/retention-page.ts";
import { documentPath } from "../src/sites/docs/reference.ts";
import { resourcesOf } from "../src/sites/docs/sdk-resources.ts";
import { decisionsIndex } from "./decisions-index.ts";
import { dumpSchema } from "./dump-schema.ts";
import { formLimits } from "./form-limits.ts";
import { sdkClient } from "./sdk-client.ts";
import { sdkModel } from "./sdk-model.ts";
import { sdkPhp } from "./sdk-php.ts";
import { sdkPython } from "./sdk-python.ts";
import { sdkTypes } from "./sdk-types.ts";
import { whatHoldsWhat } from "./what-holds-what.ts";

/** Writes the generated files that are committed; with --check only tells, by its exit code, whether they are fresh. */
const isCheck = process.argv.includes("--check");
const { document, held, limits } = await ofService();
const [model, resources] = [sdkModel(document), resourcesOf(document)];
const files = {
  "openapi.json": `${JSON.stringify(document, null, 2)}\n`,
  "schema.sql": await schemaSql(),
  "sdk/src/client.ts": sdkClient(document),
  "sdk/src/contract.ts": sdkTypes(document),
  ...sdkPython(model, resources),
  ...sdkPhp(model, resources),
  "docs/what-holds-what.md": held,
  "portal/src/lib/limits.ts": limits,
  "docs/retention.md": retentionPage(),
  "docs/decisions/README.md": await decisionsIndex(),
};
for (const [name, text] of Object.entries(files)) {
  const file = new URL(`../${name}`, import.meta.url);
  const committed = await readFile(file, "utf8").catch(() => undefined);
  if (committed === text) continue;
  if (isCheck) {
    console.error(`${name} is stale: run \`npm run generate\` and commit it.`);
    process.exitCode = 1;
  } else {
    await writeFile(file, text);
    console.log(`${name} written.`);
  }
}

// The client is built last, from the types just written; what is committed is what installations hand out.
if (!isCheck || process.exitCode === undefined) await buildSdk();

async function buildSdk(): Promise<void> {
  const outDir = isCheck
    ? await mkdtemp(join(tmpdir(), "mostrador-sdk-"))
    : fileURLToPath(new URL("../sdk/dist", import.meta.url));
  if (!isCheck) await rm(outDir, { recursive: true, force: true });
  const [tsc, project] = ["../node_modules/.bin/tsc", "../sdk/tsconfig.json"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  await promisify(execFile)(tsc!, ["-p", project!, "--outDir", outDir]);
  if (!isCheck) return;
  for (const name of await readdir(outDir)) {
    const committed = await readFile(new URL(`../sdk/dist/${name}`, import.meta.url), "utf8").catch(() => undefined);
    if (committed === (await readFile(join(outDir, name), "utf8"))) continue;
    console.error(`sdk/dist/${name} is stale: run \`npm run generate\` and commit it.`);
    process.exitCode = 1;
  }
  await rm(outDir, { recursive: true, force: true });
}

/** The document exactly as an installation with the default settings serves it, which tests hold its routes, and what its portal takes. Nothing here reaches the database. */
async function ofService(): Promise<{ document: object; held: string; limits: string }> {
  const config = readConfig({ SECRET_KEY: "nothing is signed with this key here", LOG_LEVEL: "silent" });
  const pool = createPool({ url: "postgres://127.0.0.1/none" });
  const app = buildApp(makeDeps(pool, config));
  const { payload } = await app.inject(documentPath);
  const held = await whatHoldsWhat(app);
  const limits = formLimits(app.portalRoutes);
  await app.close();
  return { document: JSON.parse(payload), held, limits };
}

async function schemaSql(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "mostrador-generate-"));
  try {
    const postgres = await startEmbedded({ dataDir, settings: { fsync: "off" } });
    const pool = createPool({ url: postgres.url });
    try {
      await migrate(pool);
      return await dumpSchema(pool);
    } finally {
      await pool.end();
      await postgres.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
