import type { Queryable } from "../../../db/pool.ts";
import { prepared } from "../../../db/sql.ts";
import type { Condition } from "../../../engine/resources/read-list.ts";

/** A completed sale of which something, or everything, came back. Any other sale has its register's status. */
export const returnedStates = ["returned", "partly_returned"] as const;

/**
 * What an owner calls a sale's state, of a table or alias of `sales`. All of it came back when no money of its lines is left:
 * the tip goes back only with the whole sale at once. `account` is the parameter with the account: by it Citus finds the shard of the returns.
 */
export function saleStateSql(sale: string, account: string): string {
  return `case when ${sale}.status <> 'completed' then ${sale}.body ->> 'status' else (
    select case when count(*) = 0 then 'completed'
      when sum((r.body ->> 'total')::numeric) >= ${sale}.total - ${sale}.tip_amount then 'returned' else 'partly_returned' end
    from returns r where r.account_id = ${account} and r.sale_id = ${sale}.id) end`;
}

const withReturns = "(select r.sale_id from returns r where r.account_id = ?)";

/** The sales in a state. Few were returned, so those are looked at one by one. */
export function inState(accountId: string, state: string | undefined): Condition[] {
  if (state === undefined) return [];
  if (state === "completed") return [{ sql: `status = 'completed' and id not in ${withReturns}`, values: [accountId] }];
  if (!returnedStates.some((one) => one === state)) return [{ sql: "status = ?", values: [state] }];
  return [
    {
      sql: `status = 'completed' and id in ${withReturns} and ${saleStateSql("sales", "?")} = ?`,
      values: [accountId, accountId, state],
    },
  ];
}

export async function readSaleState(db: Queryable, accountId: string, id: string): Promise<string> {
  const text = `select ${saleStateSql("s", "$1")} as state from sales s where s.account_id = $1 and s.id = $2`;
  return (await db.query<{ state: string }>(prepared(text, [accountId, id]))).rows[0]!.state;
}
