import { readFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createPool } from "../../src/db/create-pool.ts";
import { migrate } from "../../src/db/migrate.ts";
import {
  copyInto,
  hasDebianPostgres,
  newServer,
  ownedFolder,
  planServer,
  recoverWith,
  stopServers,
  withoutDebianPostgres,
} from "../support/debian-postgres.ts";
import { query } from "../support/embedded.ts";
import { eventually } from "../support/eventually.ts";
import { documentsOf, fiscalBusiness, plainSale, ringUp } from "../support/fiscal.ts";
import { sharedFolder } from "../support/fixtures.ts";
import { mostradorJson, projectDir } from "../support/process.ts";
import { type Service, serve } from "../support/service.ts";

const folder = sharedFolder("mostrador-archive-");
afterAll(stopServers);
const reason = !process.env.LONG
  ? "it runs with `npm run test:failover`"
  : hasDebianPostgres
    ? ""
    : withoutDebianPostgres;
const SECRET_KEY = "k".repeat(32);

/** The line of the operator's guide that sets this. */
function documented(name: string): string {
  const guide = readFileSync(join(projectDir, "docs/operations.md"), "utf8");
  return new RegExp(`^${name} = .*$`, "m").exec(guide)![0];
}

/** Sells once; returns the number of its document. */
async function sell(service: Service, accountId: string): Promise<string> {
  const [sale] = await ringUp(service, accountId, (at) => [plainSale(at, 1000)]);
  const [document] = await documentsOf(service, accountId, sale!.id);
  return `${document!.prefix}${document!.number}`;
}

test("a server is restored to a point in time from its archive, and no number issued since is used again", {
  timeout: 600_000,
}, async (context) => {
  if (reason) return context.skip(reason);
  await chmod(folder.path, 0o777);
  const archive = ownedFolder(join(folder.path, "archive"));
  const lost = await newServer(folder.path, "lost");
  const guide = (...names: string[]) => names.map((name) => documented(name).replaceAll("/archive", archive));
  lost.configure(guide("archive_mode", "archive_timeout", "archive_command"));
  await lost.start();
  await query(lost.url("postgres"), "create database mostrador");
  const pool = createPool({ url: lost.url(), max: 1 });
  await migrate(pool);
  await pool.end();

  const before = await serve(lost.url(), { SECRET_KEY });
  const { accountId } = await fiscalBusiness(before);
  expect(await sell(before, accountId)).toBe("EPOS1");
  const restored = await planServer(folder.path, "restored");
  copyInto(restored, lost, false);
  expect(await sell(before, accountId)).toBe("EPOS2");
  await lost.query("select pg_create_restore_point('before_the_accident')");
  for (const number of ["EPOS3", "EPOS4"]) expect(await sell(before, accountId)).toBe(number);
  await before[Symbol.asyncDispose]();
  const [{ file }] = await lost.query("select pg_walfile_name(pg_switch_wal()) as file");
  await eventually(async () => {
    const [row] = await lost.query(
      `select coalesce(last_archived_wal >= '${file}', false) as done from pg_stat_archiver`,
    );
    return row.done;
  });
  await lost.kill();

  const target = "recovery_target_name = 'before_the_accident'";
  recoverWith(restored, [...guide("restore_command", "recovery_target_action"), target]);
  await restored.start();
  await eventually(async () => !(await restored.query("select pg_is_in_recovery() as is"))[0].is);

  const env = { DATABASE_URL: restored.url(), SECRET_KEY };
  const command = (...args: string[]) => mostradorJson(args, env);
  await command("device", "reload");
  expect((await command("verify")).problems).toEqual([]);
  const range = ["--kind", "pos", "--prefix", "EPOS", "--from", "1", "--to", "5000", "--valid-until", "2099-12-31"];
  await command("fiscal", "range", accountId, ...range, "--next", "5", "--reason", "emitidos después de la copia");
  const after = await serve(restored.url(), { SECRET_KEY });
  expect(await sell(after, accountId)).toBe("EPOS5");
  const { rows } = await after.deps.pool.query<{ count: number }>("select count(*) from sales");
  expect(rows[0]!.count).toBe(3);
  await after[Symbol.asyncDispose]();
  expect((await command("verify")).problems).toEqual([]);
  await restored.stop();
});
