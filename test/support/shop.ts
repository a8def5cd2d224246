import { randomUUID } from "node:crypto";
import type { Plan } from "../../src/accounts/create-account.ts";
import { createKey } from "../../src/api-keys/create-key.ts";
import { scopes } from "../../src/api-keys/scopes.ts";
import { sql } from "../../src/db/sql.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import { apiClient } from "./client.ts";
import type { Business, Service } from "./service.ts";

/** A business whose owner has no password: service.business() spends 0.2 s on one, which a test by the hundred cannot. */
export async function openShop(service: Service, { plan = "pro" }: { plan?: Plan } = {}): Promise<Business> {
  const { deps, baseUrl } = service;
  const now = deps.clock.now();
  const accountId = uuidv7(now);
  await deps.pool.query(sql`
    insert into accounts (id, name, email, password_hash, plan, created_at, updated_at)
    values (${accountId}, 'Tienda de prueba', ${`${randomUUID()}@example.com`}, '', ${plan}, ${now}, ${now})`);
  await deps.pool.query(sql`
    insert into account_clock (account_id, ts, records_events) values (${accountId}, ${now}, ${plan === "pro"})`);
  const { id: keyId, key } = await createKey(deps, { accountId, name: "prueba", scopes });
  return { accountId, keyId, key, api: apiClient(baseUrl, { authorization: `Bearer ${key}` }) };
}
