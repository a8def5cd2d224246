import { expect, test } from "vitest";
import { recordAudit, theService } from "../../src/access/accounts/record-audit.ts";
import { sql } from "../../src/db/sql.ts";
import { transaction } from "../../src/db/transaction.ts";
import { sharedService } from "../support/fixtures.ts";
import { openPortal } from "../support/portal.ts";

const service = sharedService();

const locks = {
  "the account's row": (id: string) => sql`select from accounts where id = ${id} for no key update`,
  "the account's row, by changing it": (id: string) => sql`update accounts set name = name where id = ${id}`,
  "the account's clock": (id: string) => sql`update account_clock set seq = seq where account_id = ${id}`,
};

test.each(Object.entries(locks))("nobody waits for %s once an entry of the audit log is written", async (_, lock) => {
  const { accountId } = await openPortal(service);
  const at = service.deps.clock.now();
  const entry = { accountId, at, action: "account.export", details: {}, actor: theService } as const;
  const wrong = transaction(service.deps.pool, async (client) => {
    await recordAudit(client, entry);
    await client.query(lock(accountId));
  });
  await expect(wrong).rejects.toThrow("waits for the account after its entry");
  await transaction(service.deps.pool, async (client) => {
    await client.query(lock(accountId));
    await recordAudit(client, entry);
    // It is held already: nobody is waited for.
    await client.query(lock(accountId));
  });
});
