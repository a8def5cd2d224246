import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readEntries } from "../../simulator/register.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { freePort } from "../support/process.ts";
import { freshDatabase } from "../support/service.ts";

/** A minute in the long run, a third of that in the everyday one. */
const isLong = Boolean(process.env.LONG);
const seconds = isLong ? 60 : 20;
const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const node = process.execPath;

test(
  "registers sell to a server that is killed again and again, beyond the lifetime of an enrolment code, and every sale is stored exactly once",
  async () => {
    const database = await freshDatabase();
    const folder = await mkdtemp(join(tmpdir(), "mostrador-simulate-"));
    const [port, adminPort] = [await freePort(), await freePort()];
    const env = {
      ...process.env,
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, "data"),
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      LOG_LEVEL: "silent",
    };
    const run = (...words: string[]) => promisify(execFile)(node, [main, ...words, "--json"], { env });
    const pool = createPool({ url: database.url, max: 2 });
    let server: ChildProcess | undefined;
    try {
      const created = await run(
        "account",
        "create",
        "--name",
        "Tienda",
        "--email",
        "t@example.com",
        "--password",
        "clave-larga",
      );
      const account = JSON.parse(created.stdout).id as string;
      server = await startServer(env, port);
      const selling = run(
        "simulate",
        "--account",
        account,
        "--for",
        `${seconds}s`,
        "--rate",
        "8",
        "--folder",
        join(folder, "books"),
      );
      let kills = 0;
      const isOver = selling.then(
        () => true,
        () => true,
      );
      const enrolled = "select from devices where account_id = $1";
      await expect.poll(async () => (await pool.query(enrolled, [account])).rowCount).toBe(3);
      // The register restored from its backup enrols again, as it would after 12 of 20 minutes.
      await run("clock", "advance", "11m");
      for (; kills < 4; kills++) {
        if (await Promise.race([isOver, delay((seconds * 1000) / 6, false)])) break;
        server.kill("SIGKILL");
        server = await startServer(env, port);
      }
      const summary = JSON.parse((await selling).stdout);
      // How much happens in 20 s is up to the machine; the long run asks for more than a sign of life.
      expect(kills).toBeGreaterThan(isLong ? 1 : 0);
      expect(summary).toMatchObject({ pending: 0, restored: 1 });

      const books = (summary.folders as string[]).flatMap(readEntries);
      const last = new Map(books.filter(({ type }) => type === "sale").map((entry) => [entry.id, entry]));
      expect(last.size).toBe(summary.sales);
      expect(last.size).toBeGreaterThan(isLong ? seconds : 0);
      const { rows: stored } = await pool.query("select id, body from sales where account_id = $1", [account]);
      expect(stored.map((row) => row.id).toSorted()).toEqual([...last.keys()].toSorted());
      const { rows: announced } = await pool.query(
        "select body->'data'->'object'->>'id' as id from events where account_id = $1 and type = 'sale.created'",
        [account],
      );
      expect(announced.map((row) => row.id).toSorted()).toEqual([...last.keys()].toSorted());
      const moved = new Set(books.filter(({ type }) => type === "stock_movement").map(({ id }) => id));
      // The server puts back into stock what is returned; everything else is the registers' own.
      const { rows: movements } = await pool.query(
        "select id from stock_movements where account_id = $1 and not from_api",
        [account],
      );
      expect(movements.map((row) => row.id).toSorted()).toEqual([...moved].toSorted());
      const broughtBack = new Set(books.filter(({ type }) => type === "return").map(({ id }) => id));
      const { rows: returned } = await pool.query("select id from returns where account_id = $1", [account]);
      expect(returned.map((row) => row.id).toSorted()).toEqual([...broughtBack].toSorted());
      const { rows: aside } = await pool.query("select raw, reason from quarantined_records where account_id = $1", [
        account,
      ]);
      expect(aside).toEqual([]);
      const { rows: flagged } = await pool.query(
        "select record_id as id, findings from flagged_records where account_id = $1",
        [account],
      );
      expect(flagged).toEqual([]);
      expect((await verify(pool)).problems).toEqual([]);
    } finally {
      server?.kill("SIGKILL");
      await pool.end();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    }
  },
  (seconds + 280) * 1000,
);

/** Waits only for the port, not for readiness, so that a kill may come at any moment. */
async function startServer(env: NodeJS.ProcessEnv, port: number): Promise<ChildProcess> {
  const server = spawn(node, [main, "start"], { env, stdio: "ignore" });
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/public/v1/openapi.json`).catch(() => undefined);
    if (answer?.ok) return server;
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
    await delay(50);
  }
}
