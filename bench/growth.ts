import { growAccounts } from "./growth/accounts.ts";
import { growEndpoints } from "./growth/endpoints.ts";
import { growRows } from "./growth/rows.ts";
import type { BenchOptions } from "./options.ts";
import type { Figure } from "./support/measure.ts";

/** How the same reads and the same load change as rows, accounts and endpoints grow; a ratio near 1 means they do not. */
export async function run(options: BenchOptions): Promise<Figure[]> {
  return [...(await growRows(options)), ...(await growAccounts(options)), ...(await growEndpoints(options))];
}
