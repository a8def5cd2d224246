import { createAccount, type NewAccount } from "../access/accounts/create-account.ts";
import { ensureWarehouse } from "../business/inventory/find-warehouse.ts";
import { ensureLocation } from "../business/locations/operations.ts";
import { type WritingDeps, writing } from "../engine/writing/writing.ts";
import { oneLine } from "../lib/one-line.ts";

/** A new business with all that it is born with. One whose birth was interrupted gets its warehouse when it first needs it. */
export async function openAccount(deps: WritingDeps, input: NewAccount): Promise<{ id: string; email: string }> {
  const account = await createAccount(deps, input);
  await writing(deps, account.id, async (write) => {
    await ensureLocation(write, oneLine(input.name));
    await ensureWarehouse(write);
  });
  return account;
}
