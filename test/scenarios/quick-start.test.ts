import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { type Fence, renderMarkdown } from "../../src/sites/docs/markdown.ts";
import { hasComposer, hasPip, withoutComposer, withoutPip } from "../support/languages.ts";
import { freePort, projectDir, startMostrador } from "../support/process.ts";
import { freshDatabase } from "../support/service.ts";

const run = promisify(execFile);
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const languages = [
  { language: "curl", isHere: true, lacks: "", says: /"object":"list".*"type":"sale.completed"/s },
  { language: "ts", isHere: true, lacks: "", says: /(.+ \d+\n){3}/ },
  { language: "python", isHere: hasPip, lacks: withoutPip, says: /(.+ \d+\n){3}/ },
  { language: "php", isHere: hasComposer, lacks: withoutComposer, says: /(.+ \d+\n){3}/ },
];

describe("the quick start, word for word, leads from an empty directory to a verified webhook in", () => {
  test.for(languages)("$language", { timeout: 300_000 }, async ({ language, isHere, lacks, says }, context) => {
    if (!isHere) return context.skip(lacks);
    const written = await readFile(`${projectDir}docs/guide/inicio-rapido.md`, "utf8");
    expect(written).toContain("Venta verificada por $");
    const { fences } = renderMarkdown(written);
    const followed = await follow(fences.filter(({ attributes: { lenguaje = language } }) => lenguaje === language));
    expect(followed.said).toMatch(says);
    if (language !== "curl")
      await expect.poll(() => followed.terminal("servidor")).toMatch(/Venta verificada por \$\d+/);
    else expect(followed.said).toContain('"total":');
  });
});

/** Runs each block where the guide says, and gives what was printed. */
async function follow(fences: readonly Fence[]) {
  const folder = await mkdtemp(join(tmpdir(), "mostrador-inicio-"));
  const home = await mkdtemp(join(tmpdir(), "mostrador-casa-"));
  const database = await freshDatabase();
  undo.push(
    database.drop,
    () => rm(folder, { recursive: true }),
    () => rm(home, { recursive: true }),
  );
  const settings = { DATABASE_URL: database.url, DATA_DIR: join(home, "data"), MOSTRADOR_HOME: join(home, "cli") };
  const [port, receiverPort] = [String(await freePort()), String(await freePort())];
  const terminals = new Map<string, { said: string }>();
  let key = "";
  let said = "";

  /** Only the ports are the test's own; everything else is the guide's text. */
  const here = (text: string) =>
    withoutOthers(text.replaceAll("127.0.0.1:3000", `127.0.0.1:${port}`).replaceAll("4242", receiverPort));
  const env = () => ({
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    COMPOSER_ALLOW_SUPERUSER: "1",
    COMPOSER_HOME: home,
    ...settings,
    PORT: port,
    MOSTRADOR_API_KEY: key,
  });

  async function step({ language, attributes, text }: Fence): Promise<void> {
    const cwd = attributes.carpeta === "clon" ? projectDir : folder;
    if (attributes.archivo) await writeFile(join(folder, attributes.archivo), here(text));
    else if (attributes.clave) expect(text).toBe("export MOSTRADOR_API_KEY=mst_test_…\n");
    else if (attributes.terminal === "mostrador") {
      // What `npm start` runs once everything is installed, on a free port.
      expect(text).toBe("npm start\n");
      const service = await startMostrador({ ...settings, PORT: port });
      undo.push(() => service.stop());
      key = /Bearer ([^"]+)"/.exec(JSON.stringify(service.ready).replaceAll('\\"', '"'))![1]!;
    } else if (attributes.terminal) await openTerminal(attributes.terminal, here(text), cwd);
    else {
      expect(language).toBe("sh");
      said += (await run("sh", ["-ec", here(text)], { cwd, env: env() })).stdout;
    }
  }

  async function openTerminal(name: string, text: string, cwd: string): Promise<void> {
    const child = spawn("sh", ["-c", `exec ${text}`], { cwd, env: env(), detached: true });
    const terminal = { said: "" };
    terminals.set(name, terminal);
    undo.push(() => child.exitCode === null && process.kill(-child.pid!, "SIGKILL"));
    child.stdout.on("data", (chunk) => (terminal.said += chunk));
    child.stderr.on("data", (chunk) => (terminal.said += chunk));
    await expect.poll(() => terminal.said).toMatch(/Esperando webhooks|Listo|Development Server/);
  }

  for (const fence of fences) await step(fence);
  return { said, terminal: (name: string) => terminals.get(name)!.said };
}

/** Where there is no network, Composer must not look for its public register; the package needs nothing of it. */
function withoutOthers(text: string): string {
  return text.replace("composer require", "composer config repo.packagist false\ncomposer require");
}
