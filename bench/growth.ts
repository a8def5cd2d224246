import { growAccounts } from "./growth/accounts.ts";
import { growEndpoints } from "./growth/endpoints.ts";
import { growRows } from "./growth/rows.ts";
import type { BenchOptions } from "./options.ts";
import type { Figure } from "./support/measure.ts";

/** What becomes of the same reads and the same load as rows, accounts and endpoints grow: near 1 means flat. */
export async function run(options: BenchOptions): Promise<Figure[]> {
  return [...(await growRows(options)), ...(await growAccounts(options)), ...(await growEndpoints(options))];
}
