import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { day } from "../../src/lib/clock.ts";
import { dayText } from "../../src/taxes/words.ts";
import { cashMovementBody, cashSessionBody, saleBody } from "../support/records.ts";
import { ableToReturn, upload } from "../support/register.ts";
import { returningShop, returnOf } from "../support/returning.ts";

const { owner, till, sell, decide, documents } = returningShop();

const fromNow = (days: number) => new Date(Date.now() + days * day).toISOString();
/** What arrives late is told too, by a notice of its own. */
const findings = async () =>
  (await owner.get("/findings")).body.data.filter(({ kind }: { kind: string }) => kind !== "late_sales");
const flagged = async () => (await owner.get(`/devices/${till.deviceId}/flagged`)).body.data;

test.each([
  ["years ahead", "2099-01-01T17:00:00.000Z"],
  ["at the beginning of all clocks", "1970-01-01T17:00:00.000Z"],
  ["more than a day ahead", fromNow(1.1)],
  ["more than 400 days behind", fromNow(-401)],
])("a sale %s is applied as sent and told once, and its document has the day on which it was issued", async (_, at) => {
  const before = Date.now();
  const sold = await sell(saleBody(at, { occurred_at: at }));
  const again = await sell(saleBody(at, { occurred_at: at }));
  await decide();
  expect((await owner.get(`/sales/${sold.id}`)).body.sale.occurred_at).toBe(at);
  const [document] = await documents(sold.id);
  const issuedMs = Date.parse(document!.issued_at);
  expect([document!.status, issuedMs >= before, issuedMs <= before + day]).toEqual(["issued", true, true]);

  const message = expect.stringContaining("La caja tiene mal la hora: dice ");
  expect(await flagged()).toEqual(
    expect.arrayContaining(
      [sold, again].map(({ id }) =>
        expect.objectContaining({
          record_id: id,
          findings: [expect.objectContaining({ field: "occurred_at", got: at, message })],
        }),
      ),
    ),
  );
  const local = dayText(new Date(Date.parse(at) - 5 * 3_600_000).toISOString().slice(0, 10));
  const told = `La caja «Caja 1» tiene mal la hora: subió una venta con fecha ${local}.`;
  expect(await findings()).toMatchObject([{ kind: "wrong_clock", message: told, can_close: true }]);
  expect((await owner.get(`/sales/${again.id}/findings`)).body.data).toMatchObject([{ kind: "upload", message }]);
  const [finding] = await findings();
  await owner.post(`/findings/${finding.id}/close`, { reason: "Se puso en hora" });
  await sell(saleBody(at, { occurred_at: at }));
  expect(await findings()).toEqual([]);
});

test("a return, a shift, a movement of its drawer and an act of another year are flagged too, and what is a day or a year late is not", async () => {
  const sold = await sell(saleBody(fromNow(-399), { occurred_at: fromNow(-399) }));
  await sell(saleBody(fromNow(0.9), { occurred_at: fromNow(0.9) }));
  expect(await flagged()).toEqual([]);
  const at = "2099-01-01T17:00:00.000Z";
  await till.put("return", { ...returnOf(sold, [1]), occurred_at: at });
  const shift = upload(cashSessionBody(at, { status: "closed", closed_at: at }));
  const movement = upload(cashMovementBody(at, shift.id));
  await till.put("cash_session", { ...shift, movements: [movement] });
  const act = { type: "counter_act", id: randomUUID(), data: { kind: "drawer_opened", occurred_at: at } };
  await till.push([act], { capabilities: [...ableToReturn, "counter_act.1"] });
  const fields = (await flagged()).map((one: { type: string; findings: { field: string; kind?: string }[] }) => [
    one.type,
    one.findings.flatMap(({ field, kind }) => (kind === "wrong_clock" ? field : [])),
  ]);
  expect(Object.fromEntries(fields)).toEqual({
    return: ["occurred_at"],
    cash_session: ["opened_at", "closed_at", `movements.${movement.id}.occurred_at`],
    counter_act: ["occurred_at"],
  });
  expect(await findings()).toMatchObject([
    { kind: "wrong_clock", message: "La caja «Caja 1» tiene mal la hora: subió un acto de caja con fecha 01/01/2099." },
  ]);
});
