import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { signatureHeader } from "../../src/webhooks/endpoints/signature.ts";
import { sharedFolder } from "../support/fixtures.ts";
import { hasLaravel, hasModules, php, python, withoutLaravel, withoutPhp } from "../support/languages.ts";
import { freePort, projectDir } from "../support/process.ts";

const folder = sharedFolder("mostrador-receptores-");
const secret = "whsec_ejemplo";
const examples = `${projectDir}examples`;

interface Receiver {
  name: string;
  command: (port: string) => readonly string[];
  path: string;
  isHere: boolean;
  lacks: string;
  /** Where its CSRF guard was not told to let anybody through, and how it refuses. */
  guarded?: { path: string; status: number };
}

const inPython = (name: string, ...modules: string[]): Receiver => ({
  name,
  command: () => [python!, `${examples}/python-receivers/${name.toLowerCase()}_receiver.py`],
  path: "/webhooks",
  isHere: hasModules(...modules),
  lacks: `needs Python 3.10 or later with ${modules.join(" and ")}`,
});
const inPhp = (name: string, file: string, isHere: boolean, lacks: string): Receiver => ({
  name,
  command: (port) => [php!, "-S", `127.0.0.1:${port}`, file],
  path: "/webhooks/mostrador",
  isHere,
  lacks,
});

const receivers = [
  inPython("Django", "django"),
  inPython("Flask", "flask"),
  inPython("FastAPI", "fastapi", "uvicorn"),
  inPhp("PHP alone", `${examples}/php-receivers/plain.php`, php !== undefined, withoutPhp),
  {
    ...inPhp("Laravel", `${projectDir}test/support/laravel-app.php`, hasLaravel, withoutLaravel),
    guarded: { path: "/otra", status: 419 },
  },
];

describe("a receiver takes what is signed, once, during a rotation too, and nothing else, with", () => {
  test.for(receivers)("$name", async ({ name, command, path, isHere, lacks, guarded }, context) => {
    if (!isHere) return context.skip(lacks);
    const port = String(await freePort());
    const env = {
      PATH: process.env.PATH,
      PORT: port,
      MOSTRADOR_WEBHOOK_SECRET: secret,
      PYTHONPATH: `${projectDir}sdk-python/src`,
      PYTHONDONTWRITEBYTECODE: "1",
      MOSTRADOR_AUTOLOAD: `${projectDir}sdk-php/autoload.php`,
      EVENTOS: join(folder.path, name),
    };
    const [program, ...args] = command(port);
    const child = spawn(program!, args, { cwd: folder.path, env });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
    const send = (body: string, header?: string, to = path) =>
      fetch(`http://127.0.0.1:${port}${to}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...(header !== undefined && { "service-signature": header }) },
        body,
      }).then(
        ({ status }) => status,
        () => 0,
      );
    try {
      const id = randomUUID();
      const object = { object: "customer", id: randomUUID(), name: "Año ñandú  " };
      const event = { id, type: "customer.created", created_at: "2026-09-28T19:05:09.120Z", data: { object } };
      const body = JSON.stringify(event, null, 1);
      const now = Math.floor(Date.now() / 1000);
      await expect.poll(() => send(body, signatureHeader(body, [secret], now)), { message: said }).toBe(204);
      expect(await send(body, signatureHeader(body, ["whsec_nuevo", secret], now)), said).toBe(204);
      expect(await send(body, signatureHeader(body, ["whsec_nuevo"], now))).toBe(400);
      expect(await send(`${body} `, signatureHeader(body, [secret], now))).toBe(400);
      expect(await send(body, signatureHeader(body, [secret], now - 400))).toBe(400);
      expect(await send(body)).toBe(400);
      if (guarded) expect(await send(body, signatureHeader(body, [secret], now), guarded.path)).toBe(guarded.status);
      await expect.poll(() => said).toContain(`customer.created ${id}`);
      expect(said.split(`customer.created ${id}`)).toHaveLength(2);
    } finally {
      child.kill("SIGKILL");
    }
  });
});
