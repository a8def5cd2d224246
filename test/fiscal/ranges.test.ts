import { describe, expect, test } from "vitest";
import { warehouses } from "../../src/business/inventory/resource.ts";
import { type RangeInput, setRange } from "../../src/fiscal/profile/set-range.ts";
import { day } from "../../src/lib/clock.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { advance, documentsOf, noticesOf, plainSale } from "../support/fiscal.ts";
import { perTest } from "../support/fixtures.ts";
import { issuerPerTest } from "../support/issuing.ts";
import { openAgain } from "../support/portal.ts";
import { mostrador } from "../support/process.ts";
import { store, warehouseBody } from "../support/records.ts";
import { enrol, type Till, upload } from "../support/register.ts";

const { service, shop, sell, documentOf } = issuerPerTest();
const till = perTest(() => enrol(service, shop.accountId));
const other = perTest(() => enrol(service, shop.accountId, { name: "Caja 2" }));

const set = (fields: Partial<RangeInput>) =>
  setRange(service.deps, shop.accountId, {
    kind: "pos",
    prefix: "EPOS",
    first: 1,
    last: 5000,
    validUntil: "2099-12-31",
    ...fields,
  });

async function sellAt(register: Till): Promise<string> {
  const sale = plainSale(service.deps.clock.now().toISOString(), 5000);
  await register.put("sale", upload(sale));
  const [document] = await documentsOf(service, shop.accountId, sale.id);
  return `${document!.prefix}${document!.number}`;
}

describe("a range", () => {
  test("for one register numbers only its documents, and when it ends the one for all follows", async () => {
    await set({ prefix: "C1", last: 2, place: { registerId: till.deviceId } });
    expect([await sellAt(till), await sellAt(other), await sellAt(till), await sellAt(till)]).toEqual([
      ...["C11", "EPOS1", "C12", "EPOS2"],
    ]);
  });

  test("for a warehouse numbers the documents of its registers", async () => {
    const [warehouse] = await store(service.deps, shop.accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
    await set({ prefix: "BOD", place: { warehouseId: warehouse!.id, registers: [other.deviceId] } });
    expect([await sellAt(till), await sellAt(other)]).toEqual(["EPOS1", "BOD1"]);
    await expect(set({ prefix: "X", place: { warehouseId: warehouse!.id, registers: [] } })).rejects.toThrow(
      "qué cajas",
    );
    await expect(set({ prefix: "X", place: { registerId: crypto.randomUUID() } })).rejects.toThrow(
      "no es de la cuenta",
    );
    await expect(
      set({ prefix: "X", place: { warehouseId: crypto.randomUUID(), registers: [till.deviceId] } }),
    ).rejects.toThrow("no tiene la bodega");
  });

  test("for a sede numbers the documents of its registers, wherever they stand now", async () => {
    const owner = await openAgain(service, shop, "");
    const norte = (await owner.post("/locations", { name: "Norte" })).body.id;
    await set({ prefix: "NTE", place: { locationId: norte } });
    expect(await sellAt(till)).toBe("EPOS1");
    await owner.put(`/devices/${till.deviceId}/location`, { location_id: norte });
    expect([await sellAt(till), await sellAt(other), await sellAt(till)]).toEqual(["NTE1", "EPOS2", "NTE2"]);
    await expect(set({ prefix: "X", place: { locationId: crypto.randomUUID() } })).rejects.toThrow("abierta la sede");
  });

  test("with a first day takes over on that day by itself", async () => {
    const today = (days: number) => bogotaDate(new Date(service.deps.clock.now().getTime() + days * day));
    await set({ validUntil: today(1) });
    await set({ prefix: "NUEV", validFrom: today(2) });
    const number = async () => (await documentOf(await sell(10_000))).prefix;
    expect(await number()).toBe("EPOS");
    advance(service, 2 * day);
    expect(await number()).toBe("NUEV");
    await expect(set({ prefix: "X", validFrom: "2030-01-02", validUntil: "2030-01-01" })).rejects.toThrow(
      "vencer antes",
    );
    await expect(set({ prefix: "X", validFrom: "ayer" })).rejects.toThrow("no es una fecha");
  });

  test("that is nearly used is told once, and that expires within 30 days once", async () => {
    await set({ last: 20 });
    const told = async () =>
      (await noticesOf(service, shop.accountId))
        .filter(({ kind }) => kind === "range_ending")
        .map((one) => one.message);
    for (let i = 0; i < 17; i++) await sell(1000);
    expect(await told()).toEqual([]);
    await sell(1000);
    const few = "El rango EPOS 1–20 para documentos POS tiene 2 números más, y no hay otro que siga.";
    expect(await told()).toEqual([few]);
    advance(service, day);
    await sell(1000);
    expect(await told()).toEqual([few]);
    const soon = bogotaDate(new Date(service.deps.clock.now().getTime() + 29 * day));
    await set({ last: 5000, validUntil: soon });
    await sell(1000);
    expect(await told()).toEqual([
      few,
      `El rango EPOS 1–5000 para documentos POS vence el ${soon}, y no hay otro que siga.`,
    ]);
  });
});

test("numbers used elsewhere are skipped with their reason, from the portal and the command line", {
  timeout: 120_000,
}, async () => {
  const env = { DATABASE_URL: service.databaseUrl, SECRET_KEY: service.deps.config.secretKey };
  const range = ["--kind", "pos", "--prefix", "POS", "--from", "1", "--to", "90", "--valid-until", "2099-12-31"];
  const place = ["--valid-from", "2026-01-01", "--register", till.deviceId];
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await mostrador(
      ["fiscal", "range", shop.accountId, ...range, ...args, "--json"],
      env,
    );
    return code === 0 ? JSON.parse(stdout) : stderr.trim();
  };
  expect(await run("--next", "41")).toContain("quedarían sin documento. Diga por qué");
  expect(await run("--register", "caja")).toContain("--register caja no es un id.");
  expect(await run("--valid-from", "2026-13-01")).toContain("no es una fecha");
  expect(await run(...place, "--next", "41", "--reason", "usados en otro sistema")).toMatchObject({
    next: 41,
    valid_from: "2026-01-01",
    register_id: till.deviceId,
  });
  expect([await sellAt(till), await sellAt(other)]).toEqual(["POS41", "EPOS1"]);
  const owner = await openAgain(service, shop, `${shop.accountId}@example.com`);
  const listed = (await owner.get("/numbering-ranges")).body.data.find(
    ({ prefix }: { prefix: string }) => prefix === "POS",
  );
  expect(listed).toMatchObject({
    place_name: "Caja 1",
    skipped: [{ from: 1, to: 40, reason: "usados en otro sistema" }],
  });
});
