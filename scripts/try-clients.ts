import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pythonTool } from "./python-tools.ts";
import { type ServedDemo, serveDemo } from "./served-demo.ts";

/**
 * Generates clients from openapi.json with three foreign generators, in five languages, and lets them call the demo shop:
 * `npm run test:clients`. What a machine lacks is told, and left out.
 */
const run = promisify(execFile);
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const document = here("../openapi.json");
/** Generators tell every file that they write. */
const loud = { maxBuffer: 64 * 1024 * 1024 };
/**
 * Shapes without a name of their own become a file each, and this generator writes three for an enumeration that may be null: many more
 * would mean that a schema is repeated instead of referred to. They were 150 before orders, whose lines, contact, delivery and payment are
 * written out in what is placed, previewed and changed, each with its own rules: 60 of the 233 of today. Other clients have as many schemas
 * as the contract.
 */
const mostModels = 240;

const folder = await mkdtemp(join(tmpdir(), "mostrador-clients-"));
try {
  await using shop = await serveDemo();
  await tryTypeScript(shop);
  await tryPython(shop);
  await tryPhp(shop);
  await tryGo(shop);
  await tryJava(shop);
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
  const client = join(folder, "mostrador_php");
  if (!(await generated("php", client))) return;
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

/**
 * Its Go clients have a function `NewOrder` that makes an `Order`: a schema of that name, as `new_order`, does not compile beside it
 * unless it is told to be called otherwise. What has no name of its own is named after it, and takes the same.
 */
async function tryGo(shop: ServedDemo): Promise<void> {
  const client = join(folder, "mostrador_go");
  const { components } = JSON.parse(await readFile(document, "utf8")) as { components: { schemas: object } };
  const wishes = Object.keys(components.schemas).filter((name) => name.startsWith("new_"));
  const renamed = (names: readonly string[]) =>
    names.map((name) => `${name}=${name.replace("new_", "wish_")}`).join(",");
  const inline = ["contact", "fulfilment", "payment", "preview_fulfilment"].map((part) => `new_order_${part}`);
  const options = ["--model-name-mappings", renamed(wishes), "--inline-schema-name-mappings", renamed(inline)];
  const properties = "packageName=mostrador,withGoMod=true,generateInterfaces=false";
  if (!(await generated("go", client, ...options, "--additional-properties", properties))) return;
  if (!(await works("go", "version"))) {
    console.log("openapi-generator: el cliente de Go se genera; sin Go no se probó.");
    return;
  }
  const module = join(client, "go.mod");
  const text = await readFile(module, "utf8");
  await writeFile(module, text.replace("github.com/GIT_USER_ID/GIT_REPO_ID", "example.com/mostrador"));
  if (!(await reached("Go", () => run("go", ["mod", "download"], { cwd: client })))) return;
  await mkdir(join(client, "try"));
  await copyFile(here("../examples/generated-clients/try_client.go"), join(client, "try", "main.go"));
  await speaking(() => run("go", ["run", "./try", shop.url, shop.key], { cwd: client }));
  console.log("openapi-generator: el cliente de Go compila y funciona.");
}

async function tryJava(shop: ServedDemo): Promise<void> {
  const client = join(folder, "mostrador_java");
  if (!(await generated("java", client, "--library", "native"))) return;
  if (!(await works("mvn", "-version")) || !(await works("javac", "-version"))) {
    console.log("openapi-generator: el cliente de Java se genera; sin javac y Maven no se probó.");
    return;
  }
  const maven = (...goals: string[]) => run("mvn", ["-q", "-B", ...goals], { cwd: client, ...loud });
  const libraries = [
    "dependency:copy-dependencies",
    "-DincludeScope=runtime",
    `-DoutputDirectory=${join(client, "lib")}`,
  ];
  if (!(await reached("Java", () => maven(...libraries)))) return;
  await speaking(() => maven("-Dmaven.test.skip=true", "compile"));
  await copyFile(here("../examples/generated-clients/TryClient.java"), join(client, "TryClient.java"));
  const path = ["target/classes", "lib/*", "."].join(":");
  await speaking(() => run("javac", ["-cp", path, "-d", ".", "TryClient.java"], { cwd: client }));
  await speaking(() => run("java", ["-cp", path, "TryClient", shop.url, shop.key], { cwd: client }));
  console.log("openapi-generator: el cliente de Java compila y funciona.");
}

/** Whether openapi-generator is here; then it has written the client. */
async function generated(language: string, client: string, ...options: readonly string[]): Promise<boolean> {
  const program = await pythonTool("openapi-generator-cli", "7.26.0");
  if (program === undefined || !(await works("java", "-version"))) {
    console.log(`Omitido (${language}): openapi-generator necesita Java, Python 3 y de dónde instalarlo.`);
    return false;
  }
  await speaking(() => run(program, ["generate", "-i", document, "-g", language, "-o", client, ...options], loud));
  return true;
}

/** Whether what the client needs of its language's registry could be had. */
async function reached(language: string, act: () => Promise<unknown>): Promise<boolean> {
  return act().then(
    () => true,
    () => {
      console.log(`openapi-generator: el cliente de ${language} se genera; no hay de dónde bajar sus bibliotecas.`);
      return false;
    },
  );
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
