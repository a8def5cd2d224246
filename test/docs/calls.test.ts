import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { type Call, callsOf, exampleId, exampleVariantId } from "../../src/sites/docs/calls.ts";
import { operationsOf } from "../../src/sites/docs/reference-pages.ts";
import { type StockedShop, stockedShop } from "../suites/routes.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { php, python, withoutPhp, withoutPython } from "../support/languages.ts";
import { projectDir } from "../support/process.ts";

const run = promisify(execFile);
const service = sharedService();
const document = shared(
  async () =>
    (await fetch(`${service.baseUrl}/public/v1/openapi.json`)).json() as Promise<{ servers: { url: string }[] }>,
);

interface Sample {
  id: string;
  text: string;
}

/** What the reference shows of every operation, about records that there are. */
function samplesIn(language: Call["language"], shop: StockedShop): Sample[] {
  const calls = callsOf(document);
  const { origin } = new URL(document.servers[0]!.url);
  return operationsOf(document)
    .filter(({ path }) => path !== "")
    .map(({ id, path }) => {
      const { text } = calls(id).find((one) => one.language === language)!;
      const list = path
        .replace("/public/v1", "")
        .replace(/\/\{id\}(\/cancel|\/receipts)?/, "")
        .replace("/{variant_id}", "");
      return {
        id,
        text: text
          .replaceAll(origin, service.baseUrl)
          .replaceAll(exampleId, shop.ids[list] ?? "")
          .replaceAll(exampleVariantId, shop.ids.variant!)
          .replaceAll("019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c13", shop.ids["/inventory/levels"]!)
          .replaceAll("019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c71", shop.ids["/suppliers"]!)
          .replaceAll("019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c82", shop.ids.purchase_line!)
          .replaceAll("7702535011089", "GAS-400"),
      };
    });
}

async function shopWithVariant(): Promise<StockedShop> {
  const shop = await stockedShop(service);
  const { body } = await shop.api.post("/products", {
    name: "Camisa",
    base_price: 45_000,
    variants: [{ label: "S", base_price: 45_000 }],
  });
  return { ...shop, ids: { ...shop.ids, "/products/variants": body.id, variant: body.variants[0].id } };
}

const mark = "## ";

/** What each sample printed, by its operation. */
function printed(stdout: string): [id: string, text: string][] {
  return stdout
    .split(`${mark}`)
    .slice(1)
    .map((one) => [one.slice(0, one.indexOf("\n")), one.slice(one.indexOf("\n")).trim()]);
}

const hasOpenssl = ["curl", "openssl"].every((name) => spawnSync("which", [name]).status === 0);

const languages = [
  {
    language: "curl",
    ending: "sh",
    isHere: hasOpenssl,
    lacks: "needs curl and openssl",
    prepare: noop,
    start: inShell,
  },
  { language: "ts", ending: "mts", isHere: true, lacks: "", prepare: linkSdk, start: inNode },
  {
    language: "python",
    ending: "py",
    isHere: python !== undefined,
    lacks: withoutPython,
    prepare: noop,
    start: inPython,
  },
  { language: "php", ending: "php", isHere: php !== undefined, lacks: withoutPhp, prepare: loadPhp, start: inPhp },
] as const;

describe("every call that the reference shows is answered, in", () => {
  test.for(languages)(
    "$language",
    { timeout: 120_000 },
    async ({ language, ending, isHere, lacks, prepare, start }, context) => {
      if (!isHere) return context.skip(lacks);
      const folder = await mkdtemp(join(tmpdir(), `mostrador-llamadas-${language}-`));
      try {
        await prepare(folder);
        const shop = await shopWithVariant();
        const samples = samplesIn(language, shop);
        expect(samples.length).toBeGreaterThan(50);
        const files = samples.map(({ id }) => `${id}.${ending}`);
        for (const [i, { text }] of samples.entries()) await writeFile(join(folder, files[i]!), text);
        const env = { PATH: process.env.PATH, MOSTRADOR_API_KEY: shop.key, NODE_NO_WARNINGS: "1" };
        const stdout = await start(folder, files, env);
        const said = printed(stdout);
        expect(said.map(([id]) => id)).toEqual(files);
        expect(said.filter(([, text]) => text === "" || text.startsWith('{"error"'))).toEqual([]);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});

type Start = (folder: string, files: readonly string[], env: NodeJS.ProcessEnv) => Promise<string>;

async function noop(): Promise<void> {}

async function inShell(...[folder, files, env]: Parameters<Start>): Promise<string> {
  const script = files.map((file) => `echo; echo '${mark}${file}'; . ./${file}`).join("\n");
  return (await run("sh", ["-ec", script], { cwd: folder, env, maxBuffer: 1 << 26 })).stdout;
}

async function linkSdk(folder: string): Promise<void> {
  await mkdir(join(folder, "node_modules/@mostrador"), { recursive: true });
  await symlink(`${projectDir}sdk`, join(folder, "node_modules/@mostrador/sdk"));
  await symlink(`${projectDir}node_modules/@types`, join(folder, "node_modules/@types"));
}

/** They are right by their types too. */
async function inNode(...[folder, files, env]: Parameters<Start>): Promise<string> {
  const options = [
    "--noEmit",
    "--strict",
    "--target",
    "es2024",
    "--module",
    "nodenext",
    "--types",
    "node",
    "--skipLibCheck",
  ];
  const checked = await run(`${projectDir}node_modules/.bin/tsc`, [...options, ...files], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  expect(checked.stdout).toBe("");
  const lines = files.map((file) => `console.log(${JSON.stringify(mark + file)});\nawait import("./${file}");\n`);
  await writeFile(join(folder, "todos.mjs"), lines.join(""));
  return (await run(process.execPath, ["todos.mjs"], { cwd: folder, env, maxBuffer: 1 << 26 })).stdout;
}

async function inPython(...[folder, files, env]: Parameters<Start>): Promise<string> {
  const lines = files.map((file) => `print(${JSON.stringify(mark + file)}); runpy.run_path("${file}")`);
  const whole = { ...env, PYTHONPATH: `${projectDir}sdk-python/src`, PYTHONDONTWRITEBYTECODE: "1" };
  const script = ["import runpy", ...lines].join("\n");
  return (await run(python!, ["-c", script], { cwd: folder, env: whole, maxBuffer: 1 << 26 })).stdout;
}

async function loadPhp(folder: string): Promise<void> {
  await mkdir(join(folder, "vendor"));
  await writeFile(join(folder, "vendor/autoload.php"), `<?php require_once '${projectDir}sdk-php/autoload.php';`);
}

async function inPhp(...[folder, files, env]: Parameters<Start>): Promise<string> {
  const lines = files.map((file) => `echo "\\n${mark}${file}\\n"; include '${file}';`);
  return (await run(php!, ["-r", lines.join("\n")], { cwd: folder, env, maxBuffer: 1 << 26 })).stdout;
}
