import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pythonTool } from "./python-tools.ts";
import { type ServedDemo, serveDemo } from "./served-demo.ts";

/** Generates clients from openapi.json with three foreign generators and lets them call the demo shop: `npm run test:clients`. */
const run = promisify(execFile);
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const document = here("../openapi.json");
/** Shapes without a name of their own become a file each: many more would mean that a schema is repeated instead of referred to. */
const mostModels = 260;

const folder = await mkdtemp(join(tmpdir(), "mostrador-clients-"));
try {
  await using shop = await serveDemo();
  await tryTypeScript(shop);
  await tryPython(shop);
  await tryPhp(shop);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The generator needs the TypeScript that is a library, so it gets one of its own. */
async function tryTypeScript(shop: ServedDemo): Promise<void> {
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const wanted = ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3", "@types/node@24.19.2"];
  try {
    await run("npm", ["install", "--no-audit", "--no-fund", ...wanted], { cwd: folder });
  } catch {
    console.log("Omitido: no hay de dónde instalar openapi-typescript.");
    return;
  }
  const bin = (name: string) => join(folder, "node_modules", ".bin", name);
  await run(bin("openapi-typescript"), [document, "-o", join(folder, "api.d.ts")]);
  await copyFile(here("../examples/generated-clients/try-client.ts"), join(folder, "try-client.ts"));
  const options = [
    "--strict",
    "--skipLibCheck",
    "--noEmit",
    "--target",
    "esnext",
    "--module",
    "nodenext",
    "--lib",
    "esnext,dom",
  ];
  await speaking(() => run(bin("tsc"), [...options, "try-client.ts"], { cwd: folder }));
  await speaking(() => run(process.execPath, ["try-client.ts", shop.url, shop.key], { cwd: folder }));
  console.log("openapi-typescript: el cliente compila y funciona.");
}

async function tryPython(shop: ServedDemo): Promise<void> {
  const program = await pythonTool("openapi-python-client", "0.29.1");
  if (program === undefined) {
    console.log("Omitido: openapi-python-client necesita Python 3 y de dónde instalarlo.");
    return;
  }
  const client = join(folder, "mostrador_client");
  const tools = dirname(program);
  const env = { ...process.env, PATH: `${tools}:${process.env.PATH}` };
  await speaking(() =>
    run(program, ["generate", "--path", document, "--output-path", client, "--meta", "none"], { env }),
  );
  const models = (await readdir(join(client, "models"))).length;
  if (models >= mostModels) throw new Error(`openapi-python-client wrote ${models} model files`);
  await copyFile(here("../examples/generated-clients/try_client.py"), join(folder, "try_client.py"));
  await speaking(() => run(join(tools, "python"), ["try_client.py", shop.url, shop.key], { cwd: folder }));
  console.log(`openapi-python-client: el cliente funciona, con ${models} archivos de modelos.`);
}

/** openapi-generator is written in Java. Its PHP clients need Guzzle, which Debian has as php-guzzlehttp-guzzle. */
async function tryPhp(shop: ServedDemo): Promise<void> {
  const program = await pythonTool("openapi-generator-cli", "7.26.0");
  if (program === undefined || !(await works("java", "-version"))) {
    console.log("Omitido: openapi-generator necesita Java, Python 3 y de dónde instalarlo.");
    return;
  }
  const client = join(folder, "mostrador_php");
  const options = { maxBuffer: 64 * 1024 * 1024 };
  await speaking(() => run(program, ["generate", "-i", document, "-g", "php", "-o", client], options));
  const classes = await readdir(join(client, "lib", "Api"));
  // One whose tag had an accent lost the letter.
  if (!classes.includes("CategoriasApi.php"))
    throw new Error(`openapi-generator named the classes ${classes.join(", ")}`);
  if (!(await works("php", "-r", "require 'GuzzleHttp/autoload.php';"))) {
    console.log("openapi-generator: el cliente de PHP se genera; sin PHP con Guzzle no se probó.");
    return;
  }
  await copyFile(here("../examples/generated-clients/try_client.php"), join(folder, "try_client.php"));
  await speaking(() => run("php", ["try_client.php", shop.url, shop.key], { cwd: folder }));
  console.log(`openapi-generator: el cliente de PHP funciona, con ${classes.length} clases de API.`);
}

async function works(program: string, ...args: string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  );
}

/** A program that fails is shown with what it said: compilers speak on stdout. */
async function speaking(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}${stderr}`, { cause: error });
  }
}
