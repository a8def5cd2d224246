import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startEmbedded } from "../../src/db/embedded.ts";
import { eventually } from "../support/eventually.ts";
import { shared, sharedFolder } from "../support/fixtures.ts";
import { mostrador, type StartedService, startMostrador } from "../support/process.ts";
import { emptyDatabase } from "../support/service.ts";

const folder = sharedFolder("mostrador-log-lines-");
const database = shared(emptyDatabase);
const noisy = `--import=${new URL("../support/noisy.ts", import.meta.url).href}`;

interface Line {
  level: number;
  time: number;
  msg: string;
  [field: string]: unknown;
}

/** Every line it printed, on either output; fails at the first that is not a line of the log. */
function linesOf(printed: string): Line[] {
  expect(printed.endsWith("\n")).toBe(true);
  return printed
    .slice(0, -1)
    .split("\n")
    .map((text) => {
      expect(text).toMatch(/^\{"level":\d\d,"time":\d+,.*\}$/);
      return JSON.parse(text) as Line;
    });
}

const messages = (service: StartedService) => linesOf(service.printed()).map(({ msg }) => msg);

function startNoisy(name: string, others: Record<string, string> = {}): Promise<StartedService> {
  const env = { DATA_DIR: join(folder.path, name), LOG_LEVEL: "info", NODE_OPTIONS: noisy, DEMO: "off" };
  return startMostrador({ ...env, ...others });
}

async function ended(service: StartedService): Promise<number | null> {
  const { process } = service;
  if (process.exitCode === null) await once(process, "close");
  return process.exitCode;
}

test("a service that is used, made to print, deprived of its database and stopped writes JSON lines only, and tells its stop", async () => {
  const service = await startNoisy("used", { DEMO: "on" });
  expect(service.ready).toMatchObject({ environment: "test", demo: { email: "demo@tienda.example" } });
  for (const path of ["/", "/docs", "/public/v1/products", "/nada"]) await fetch(service.url + path);
  service.process.kill("SIGUSR2");
  await eventually(() => ["desde un hilo", "un hilo advierte"].every((words) => service.printed().includes(words)));
  const database = await startEmbedded({ dataDir: join(folder.path, "used") });
  process.kill(database.pid, "SIGKILL");
  await eventually(() => service.printed().includes("the database is away"));
  await eventually(async () => (await fetch(`${service.adminUrl}/readyz`)).ok);
  service.process.kill("SIGTERM");
  expect(await ended(service)).toBe(0);
  const lines = linesOf(service.printed());
  const printed = lines.flatMap((line) => (line.printed === undefined ? [] : [line.printed]));
  for (const words of ["texto de una", "dependencia suelta", "sin salto de línea", "desde un hilo"])
    expect(printed).toContain(words);
  expect(lines.find(({ msg }) => msg === "a warning of Node")).toMatchObject({
    level: 40,
    kind: "DeprecationWarning",
    err: { code: "DEP9999", message: "esto va a cambiar" },
  });
  expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(["starting", "building the demo shop"]));
  const [stopping, stopped] = ["stopping", "stopped"].map((msg) => lines.findIndex((line) => line.msg === msg));
  expect(lines[stopping!]).toMatchObject({ level: 30, signal: "SIGTERM" });
  expect(lines[stopped!]).toMatchObject({ level: 30, signal: "SIGTERM", ms: expect.any(Number) });
  expect([stopping! < stopped!, stopped]).toEqual([true, lines.length - 1]);
});

test("an error that nobody caught is the last line of the log, with its stack, and the process ends with 1", async () => {
  const service = await startNoisy("apart", { DATABASE_URL: database.url });
  service.process.kill("SIGUSR2");
  await eventually(() => service.printed().includes("desde un hilo"));
  service.process.kill("SIGUSR2");
  expect(await ended(service)).toBe(1);
  expect(linesOf(service.printed()).at(-1)).toMatchObject({
    level: 60,
    msg: "an error that nobody caught; the process ends",
    err: { message: "nadie me atrapó", stack: expect.stringContaining("noisy.ts") },
  });
});

test("a stop that a person cuts short is told as such", async () => {
  const service = await startNoisy("apart", { DRAIN_SECONDS: "300", DATABASE_URL: database.url });
  const insisting = setInterval(() => service.process.kill("SIGTERM"), 100);
  expect(await ended(service)).toBe(1);
  clearInterval(insisting);
  expect(messages(service).slice(-2)).toEqual(["stopping", "stopped without waiting for what was under way"]);
});

test("a start that fails ends with a line of the log, before or after the log was opened", async () => {
  const before = await mostrador(["start"], { PORT: "tres mil" });
  expect(before).toMatchObject({ code: 1, stdout: "" });
  expect(linesOf(before.stderr)).toMatchObject([
    { level: 60, msg: expect.stringMatching(/^PORT=tres mil no es válido/) },
  ]);
  const DATABASE_URL = "postgres://nadie@127.0.0.1:1/nada";
  const after = await mostrador(["start"], { DATABASE_URL, LOG_LEVEL: "info", DATA_DIR: join(folder.path, "none") });
  expect(linesOf(after.stdout).map(({ msg }) => msg)).toContain("starting");
  expect(linesOf(after.stderr)).toMatchObject([{ level: 60, msg: expect.stringMatching(/^No se pudo usar la base/) }]);
});
