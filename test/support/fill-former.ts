// Run by fillWith as a process of its own, with the code of the version in the folder that is its argument. Of this version it
// takes types only.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Deps } from "../../src/deps.ts";
import type { FormerBusinesses } from "./former-version.ts";

const load = (path: string) => import(pathToFileURL(join(process.argv[2]!, path)).href);
const { createAccount }: typeof import("../../src/access/accounts/create-account.ts") = await load(
  "src/access/accounts/create-account.ts",
);
const { createKey }: typeof import("../../src/access/api-keys/create-key.ts") = await load(
  "src/access/api-keys/create-key.ts",
);
const { createEnrolmentCode }: typeof import("../../src/access/devices/create-enrolment-code.ts") = await load(
  "src/access/devices/create-enrolment-code.ts",
);
const { withAccountLock }: typeof import("../../src/access/accounts/account-lock.ts") = await load(
  "src/access/accounts/account-lock.ts",
);
const { warehouses }: typeof import("../../src/business/inventory/resource.ts") = await load(
  "src/business/inventory/resource.ts",
);
const { readConfig }: typeof import("../../src/config.ts") = await load("src/config.ts");
const { distribute }: typeof import("../../src/db/distribute.ts") = await load("src/db/distribute.ts");
const { migrate }: typeof import("../../src/db/migrate.ts") = await load("src/db/migrate.ts");
const { createPool }: typeof import("../../src/db/create-pool.ts") = await load("src/db/pool.ts");
const { eventTypes }: typeof import("../../src/engine/events/event-types.ts") = await load(
  "src/engine/events/event-types.ts",
);
const { scopes }: typeof import("../../src/engine/resources/scopes.ts") = await load("src/engine/resources/scopes.ts");
const { setProfile }: typeof import("../../src/fiscal/profile/set-profile.ts") = await load(
  "src/fiscal/profile/set-profile.ts",
);
const { setRange }: typeof import("../../src/fiscal/profile/set-range.ts") = await load(
  "src/fiscal/profile/set-range.ts",
);
const { makeDeps }: typeof import("../../src/operations/make-deps.ts") = await load("src/operations/make-deps.ts");
const { createEndpoint }: typeof import("../../src/webhooks/endpoints/create-endpoint.ts") = await load(
  "src/webhooks/endpoints/create-endpoint.ts",
);
const { secretBox }: typeof import("../../src/webhooks/endpoints/secret-box.ts") = await load(
  "src/webhooks/endpoints/secret-box.ts",
);
const { softwarePin, technicalKey }: typeof import("./fiscal.ts") = await load("test/support/fiscal.ts");
const { store, warehouseBody }: typeof import("./records.ts") = await load("test/support/records.ts");

const config = readConfig(process.env);
const pool = createPool({ url: config.databaseUrl! });
await migrate(pool);
await distribute(pool);
const deps: Deps = makeDeps(pool, config);

async function business(name: string) {
  const email = `${name}@example.com`;
  const { id: accountId } = await createAccount(deps, { name, email, password: "clave-larga", plan: "pro" });
  const { id: keyId, key } = await createKey(deps, { accountId, name: "prueba", scopes });
  return { accountId, keyId, key };
}

async function endpoint(accountId: string): Promise<string> {
  const wish = { url: `https://${process.argv[3]}/${accountId}`, event_types: [...eventTypes] };
  const { secret } = await withAccountLock(deps, accountId, (client) =>
    createEndpoint(client, secretBox(config.secretKey), accountId, wish, deps.clock.now()),
  );
  return secret;
}

const [shop, office, simulated] = [await business("Tienda"), await business("Oficina"), await business("Simulada")];
const range = { first: 1, last: 10_000_000, validUntil: "2099-12-31" };
const settings = { postal_zone_code: "050021" };
await setProfile(deps, shop.accountId, {
  nit: "900373923-8",
  regime: "iva",
  documents: "electronic",
  softwarePin,
  settings,
});
await setRange(deps, shop.accountId, { ...range, kind: "pos", prefix: "EPOS" });
await setRange(deps, shop.accountId, { ...range, kind: "invoice", prefix: "SETP", technicalKey });
await store(deps, office.accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
const secrets: Record<string, string> = {};
for (const { accountId } of [shop, office, simulated]) secrets[accountId] = await endpoint(accountId);
const codes: string[] = [];
for (let i = 0; i < 6; i++)
  codes.push((await createEnrolmentCode(deps, { accountId: shop.accountId, name: "Caja" })).code);
await pool.end();
const made: FormerBusinesses = { shop, office, store: simulated, codes, secrets };
process.stdout.write(JSON.stringify(made));
