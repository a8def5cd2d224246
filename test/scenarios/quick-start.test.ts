import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { type Fence, renderMarkdown } from "../../src/sites/docs/markdown.ts";
import { freePort, projectDir, type StartedService, startMostrador } from "../support/process.ts";
import { freshDatabase } from "../support/service.ts";

const run = promisify(execFile);
const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

test("the quick start, word for word, leads from an empty directory to a verified webhook", async () => {
  const written = await readFile(`${projectDir}docs/guide/inicio-rapido.md`, "utf8");
  const folder = await mkdtemp(join(tmpdir(), "mostrador-inicio-"));
  const home = await mkdtemp(join(tmpdir(), "mostrador-casa-"));
  const database = await freshDatabase();
  undo.push(
    database.drop,
    () => rm(folder, { recursive: true }),
    () => rm(home, { recursive: true }),
  );
  const settings = { DATABASE_URL: database.url, DATA_DIR: join(home, "data"), MOSTRADOR_HOME: join(home, "cli") };
  const receiverPort = String(await freePort());
  let service: StartedService | undefined;
  const terminals = new Map<string, { child: ChildProcess; said: string }>();

  /** Only the ports are the test's own; everything else is the guide's text. */
  const here = (text: string) =>
    text.replaceAll("http://127.0.0.1:3000", service?.url ?? "").replaceAll("4242", receiverPort);
  const env = () => ({
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ...settings,
    ...(service && { PORT: new URL(service.url).port }),
  });

  async function follow({ language, attributes, text }: Fence): Promise<void> {
    const cwd = attributes.carpeta === "clon" ? projectDir : folder;
    if (attributes.archivo) await writeFile(join(folder, attributes.archivo), here(text));
    else if (attributes.terminal === "mostrador") {
      // What `npm start` runs once everything is installed, on a free port.
      expect(text).toBe("npm start\n");
      service = await startMostrador(settings);
      undo.push(() => service!.stop());
    } else if (attributes.terminal) await openTerminal(attributes.terminal, here(text), cwd);
    else {
      expect(language).toBe("sh");
      await run("sh", ["-ec", here(text)], { cwd, env: env() });
    }
  }

  async function openTerminal(name: string, text: string, cwd: string): Promise<void> {
    const child = spawn("sh", ["-c", `exec ${text}`], { cwd, env: env(), detached: true });
    const terminal = { child, said: "" };
    terminals.set(name, terminal);
    undo.push(() => child.exitCode === null && process.kill(-child.pid!, "SIGKILL"));
    child.stdout.on("data", (chunk) => (terminal.said += chunk));
    child.stderr.on("data", (chunk) => (terminal.said += chunk));
    await expect.poll(() => terminal.said).toMatch(/Esperando webhooks|Listo/);
  }

  for (const fence of renderMarkdown(written).fences) await follow(fence);
  await expect.poll(() => terminals.get("servidor")!.said).toMatch(/Venta verificada por \$\d+/);
  expect(written).toContain("Venta verificada por $");
}, 300_000);
