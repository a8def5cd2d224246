import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { faults, settled } from "../support/axe.ts";
import { sharedService } from "../support/fixtures.ts";
import { enrol } from "../support/register.ts";
import { sale } from "../support/registered-shop.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();

test("an owner sees in Hoy and Cajas what waits for a fault of ours, and stores it with a click", async () => {
  const { email, accountId } = await openAccount(service);
  const till = await enrol(service, accountId, { name: "Caja del fondo" });
  const readable = sale();
  const raws = [
    { device_seq: 1, type: "sale", id: readable.id, op: "upsert", edited_at: null, data: readable },
    { device_seq: 2, type: "sale", id: randomUUID(), op: "upsert", edited_at: null, data: { total: "mucho" } },
  ];
  for (const raw of raws)
    await service.deps.pool.query(
      `insert into quarantined_records (account_id, device_id, device_seq, received_at, type, record_id, reason, raw, state)
       values ($1, $2, $3, now(), 'sale', $4, 'No se pudo guardar por un fallo del servicio.', $5, $6)`,
      [accountId, till.deviceId, raw.device_seq, raw.id, JSON.stringify(raw), raw === raws[0] ? "waiting" : "refused"],
    );
  const owner = await visit(browser, service);
  await owner.signIn(email);
  await owner.goto("/");
  await owner.sees("1 registro de Caja del fondo llegó y no se pudo guardar por un fallo nuestro");
  await owner.goto("/cajas");
  await owner.sees("1 por guardar");
  await owner.sees("1 en cuarentena");
  await owner.goto(`/cajas/${till.deviceId}`);
  await owner.sees("Registros apartados");
  await settled(owner.page);
  expect(await faults(owner.page, "light")).toEqual([]);
  expect(await faults(owner.page, "dark")).toEqual([]);
  await owner.button("Intentar de nuevo").click();
  await owner.sees("1 registro guardado. 1 no se puede guardar como llegó: corríjalo en la caja.");
  await owner.goto(`/ventas/${readable.id}`);
  await owner.sees("Completada");
});
