import { recordAudit, theOperator } from "../access/accounts/record-audit.ts";
import { forEachAccount, readSetAside } from "../api/sync/set-aside/due.ts";
import { addTried, type Tried } from "../api/sync/set-aside/tried.ts";
import { tryAgain } from "../api/sync/set-aside/try-again.ts";
import { sql } from "../db/sql.ts";
import { transaction } from "../db/transaction.ts";
import { accountId } from "./account.ts";
import type { Command, Invocation } from "./command.ts";
import { type CommandDeps, withDatabase } from "./with-database.ts";

const maxListed = 1_000;
const pieceSize = 200;

export const setAsideList: Command = {
  name: "set-aside list",
  summary: "Muestra lo que las cajas subieron y no está en las listas",
  usage: "[--account <id>]",
  options: { account: "Id de la cuenta; sin ella, todas" },
  async run(invocation) {
    const account = accountGiven(invocation);
    const { rows } = await withDatabase(invocation.config, ({ pool }) =>
      pool.query(sql`
        select account_id, device_id, device_seq, type, record_id, state, reason, received_at, tries, tried_at
        from quarantined_records where (${account ?? null}::uuid is null or account_id = ${account ?? null})
        order by state desc, received_at desc limit ${maxListed}`),
    );
    const lines = rows.map(
      (row) =>
        `${row.state === "waiting" ? "espera  " : "apartado"}  cuenta ${row.account_id}  caja ${row.device_id}  envío ${row.device_seq}  ${row.type ?? "sin tipo"}  ${row.reason}`,
    );
    const more = rows.length === maxListed ? [`… solo los ${maxListed} primeros`] : [];
    invocation.out.result({ records: rows }, [...lines, ...more].join("\n") || "No hay nada apartado.");
  },
};

export const setAsideRetry: Command = {
  name: "set-aside retry",
  summary: "Vuelve a intentar lo que las cajas subieron y quedó apartado",
  usage: "[--account <id>]",
  options: { account: "Id de la cuenta; sin ella, todas" },
  async run(invocation) {
    const account = accountGiven(invocation);
    const tried = await withDatabase(invocation.config, (deps) => retry(deps, account));
    invocation.out.result(
      tried,
      `${tried.stored} guardados, ${tried.waiting} siguen esperando, ${tried.refused} siguen apartados por su contenido.`,
    );
    if (tried.waiting > 0) process.exitCode = 1;
  },
};

function accountGiven({ options }: Invocation): string | undefined {
  return options.account === undefined ? undefined : accountId(String(options.account));
}

async function retry(deps: CommandDeps, account: string | undefined): Promise<Tried> {
  const { rows } = await deps.pool.query<{ account_id: string; count: number }>(sql`
    select account_id, count(*) as count from quarantined_records
    where (${account ?? null}::uuid is null or account_id = ${account ?? null}) group by account_id`);
  const all: Tried = { stored: 0, refused: 0, waiting: 0 };
  const counts = new Map(rows.map(({ account_id, count }) => [account_id, count]));
  await forEachAccount([...counts.keys()], async (accountId) => {
    const own: Tried = { stored: 0, refused: 0, waiting: 0 };
    // Those that fail again go to the end of the list.
    for (let left = counts.get(accountId) ?? 0; left > 0; left -= pieceSize)
      addTried(own, await tryAgain(deps, await readSetAside(deps.pool, { accountId }, Math.min(left, pieceSize))));
    addTried(all, own);
    if (own.stored > 0)
      await transaction(deps.pool, (client) =>
        recordAudit(client, {
          accountId,
          at: deps.clock.now(),
          action: "records.retried",
          details: { stored: own.stored },
          actor: theOperator,
        }),
      );
  });
  return all;
}
