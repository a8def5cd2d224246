import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { AuditEntry } from "../../src/access/accounts/read-audit.ts";
import { recordAudit } from "../../src/access/accounts/record-audit.ts";
import { revokeKey } from "../../src/access/api-keys/revoke-key.ts";
import { createCashier, updateCashier } from "../../src/business/counter/cashiers.ts";
import { transaction } from "../../src/db/transaction.ts";
import { sharedService } from "../support/fixtures.ts";
import { addMember, enterAs } from "../support/people.ts";
import { call, openPortal, type Portal, password } from "../support/portal.ts";

const service = sharedService();
const ana = {
  kind: "owner",
  sessionId: null,
  remoteAddress: "192.0.2.9",
  personId: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c31",
  personName: "Ana Ruiz",
  role: "Encargado",
} as const;

async function ownerWithEntries(): Promise<Portal> {
  const owner = await openPortal(service);
  for (const name of ["Uno", "Dos", "Tres"]) await owner.patch("/account", { name });
  const { accountId } = owner;
  const at = service.deps.clock.now();
  const details = { sale_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c32", total: 5000 };
  await transaction(service.deps.pool, (client) =>
    recordAudit(client, { accountId, at, action: "sale.returned", details, actor: ana }),
  );
  return owner;
}

test("an entry says who, as which role, from where, what it is about, and what a change replaced", async () => {
  const owner = await ownerWithEntries();
  const { data } = (await owner.get("/audit-log?limit=2")).body;
  expect(data[0]).toMatchObject({
    action: "sale.returned",
    person_name: "Ana Ruiz",
    role: "Encargado",
    remote_address: "192.0.2.9",
    record: { object: "sale", id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c32" },
  });
  expect(data[1]).toMatchObject({ details: { before: { name: "Dos" }, after: { name: "Tres" } } });
});

test("whoever acts in the portal is named, by name or else by mail, with the role of then", async () => {
  const owner = await openPortal(service);
  const helper = await enterAs(service, owner.business, "administrator", { name: "Berta Rojas" });
  expect((await helper.patch("/account", { name: "Cuatro" })).status).toBe(200);
  await owner.patch("/account", { name: "Cinco" });
  const { data } = (await owner.get("/audit-log?limit=2")).body;
  expect(data.map(({ person_name, role }: AuditEntry) => [person_name, role])).toEqual([
    [owner.email, "owner"],
    ["Berta Rojas", "administrator"],
  ]);
  const { bytes } = await owner.download("/tables/audit-log.csv");
  expect(Buffer.from(bytes).toString()).toMatch(/Berta Rojas"?;"?Administrador/);
});

test("a role of the business's own stands by its name, also where its holder comes in", async () => {
  const owner = await openPortal(service);
  const { body: role } = await owner.post("/roles", { name: "Jefa de bodega", rights: ["stock:read", "security"] });
  const member = await addMember(service, owner.accountId, { custom: role.id });
  expect((await call(service, "POST", "/session", { email: member.email, password })).status).toBe(201);
  const { data } = (await owner.get("/audit-log?limit=1")).body;
  expect(data[0]).toMatchObject({ action: "session.opened", role: "Jefa de bodega" });
  const { bytes } = await owner.download("/tables/audit-log.csv");
  expect(Buffer.from(bytes).toString()).toContain("Jefa de bodega");
});

test("a cashier's change is told with what it replaced, and of the PIN only that it changed", async () => {
  const owner = await ownerWithEntries();
  const { accountId } = owner;
  const cashier = await createCashier(service.deps, accountId, { name: "Luz", pin: "4821", permissions: [] }, ana);
  await updateCashier(service.deps, accountId, cashier!.id, { name: "Luz Marina", pin: "93750264" }, ana);
  const [entry] = (await owner.get("/audit-log?limit=1")).body.data;
  expect(entry.details).toMatchObject({
    before: { name: "Luz" },
    after: { name: "Luz Marina" },
    pin_changed: true,
  });
  expect(JSON.stringify(entry)).not.toContain("93750264");
});

test("the list is filtered by who, what and when", async () => {
  const owner = await ownerWithEntries();
  const actionsOf = async (query: string) =>
    (await owner.get(`/audit-log?${query}`)).body.data.map(({ action }: { action: string }) => action);
  expect(await actionsOf("q=ana")).toEqual(["sale.returned"]);
  expect(await actionsOf("q=192.0.2")).toEqual(["sale.returned"]);
  expect(await actionsOf("q=nadie")).toEqual([]);
  expect(await actionsOf("action=account.renamed")).toEqual(Array(3).fill("account.renamed"));
  expect(await actionsOf("actor=operator")).not.toContain("account.renamed");
  expect(await actionsOf("created_since=2999-01-01T00:00:00Z")).toEqual([]);
  expect((await owner.get("/audit-log?action=nada")).status).toBe(400);
});

test("it is downloaded as CSV, as a workbook and as JSON lines, whatever is filtered", async () => {
  const owner = await ownerWithEntries();
  const csv = (await owner.download("/tables/audit-log.csv?q=ana")).bytes.toString();
  expect(csv).toContain("Se registró una devolución;Ana Ruiz;Encargado;192.0.2.9");
  expect((await owner.download("/tables/audit-log.xlsx")).bytes.subarray(0, 2).toString()).toBe("PK");
  const lines = await owner.download("/tables/audit-log.jsonl?action=account.renamed");
  expect(lines.headers.get("content-type")).toBe("application/x-ndjson");
  const entries = lines.bytes.toString().trim().split("\n");
  expect(entries.map((line) => JSON.parse(line).details.name)).toEqual(["Tres", "Dos", "Uno"]);
  // A list for people has no such file.
  expect((await owner.download("/tables/quotes.jsonl")).status).toBe(404);
});

test("a SIEM follows the log by cursor, misses nothing, and can follow the chain", async () => {
  const owner = await ownerWithEntries();
  const { api } = owner.business;
  const seen: { sequence: number; previous_hash: string; hash: string; created_at: string; action: string }[] = [];
  let cursor = "";
  const follow = async () => {
    for (;;) {
      const { body } = await api.get(`/audit-log?order=asc&limit=2${cursor && `&starting_after=${cursor}`}`);
      seen.push(...body.data);
      cursor = body.next_cursor;
      if (!body.has_more) return;
    }
  };
  await follow();
  await owner.patch("/account", { name: "Cuatro" });
  await follow();
  expect(seen.map(({ sequence }) => sequence)).toEqual(seen.map((_, i) => i + 1));
  expect(seen.at(-1)).toMatchObject({ action: "account.renamed", details: { name: "Cuatro" } });
  for (const [i, { previous_hash, hash }] of seen.entries()) {
    expect(previous_hash).toBe(seen[i - 1]?.hash ?? "");
    expect(Buffer.from(hash, "hex")).toHaveLength(createHash("sha256").digest().length);
  }
  const newest = (await api.get("/audit-log?limit=1")).body;
  expect(newest).toMatchObject({ has_more: true, data: [{ sequence: seen.length }] });
  const renamed = (await api.get("/audit-log?action=account.renamed&actor=owner")).body.data;
  expect(renamed).toHaveLength(4);
});

test("a key reads the log of its own account only, and only with its permission", async () => {
  const owner = await ownerWithEntries();
  const other = await service.business({ scopes: ["sales:read"] });
  expect((await other.api.get("/audit-log")).status).toBe(403);
  const cursor = (await owner.business.api.get("/audit-log?order=asc&limit=1")).body.next_cursor;
  const third = await service.business();
  expect((await third.api.get(`/audit-log?order=asc&limit=1&starting_after=${cursor}`)).status).toBe(400);
  await revokeKey(service.deps, owner.business.keyId);
  const { data } = (await third.api.get("/audit-log?limit=100")).body;
  expect(data.map(({ action }: { action: string }) => action)).not.toContain("api_key.revoked");
});
