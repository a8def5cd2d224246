import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sabotage } from "../support/failing-statement.ts";
import { openAgain } from "../support/portal.ts";
import { refuseRecords } from "../support/refuse-records.ts";
import { registerPerTest, sale } from "../support/registered-shop.ts";

const { rows, service, shop, till } = registerPerTest();

/** The errors that may name a value of the record. */
const ofTheRecord = ["22001", "22003", "22007", "22008", "22009", "22021", "22P02", "22P05"];
/** At least one of every class that PostgreSQL has, and those that were once taken for the record's. */
const ours = [
  ...["03000", "08000", "08006", "09000", "0A000", "0B000", "0F000", "0L000", "0P000", "0Z000", "20000", "21000"],
  ...[
    "22000",
    "22004",
    "22012",
    "22023",
    "2202E",
    "22032",
    "22P03",
    "23000",
    "23001",
    "23502",
    "23503",
    "23505",
    "23514",
  ],
  ...["23P01", "24000", "25000", "25P03", "26000", "27000", "28000", "2B000", "2D000", "2F000", "34000", "38000"],
  ...["39000", "3B000", "3D000", "3F000", "40001", "40P01", "42501", "42703", "42804", "42883", "42P01", "42P18"],
  ...["44000", "53100", "53200", "54000", "55000", "55P03", "57014", "57P01", "58030", "72000", "F0000", "HV000"],
  ...["P0001", "XX000", "XX001"],
];

function isFirstOfClass(code: string, i: number): boolean {
  return ours.findIndex((other) => other.slice(0, 2) === code.slice(0, 2)) === i;
}

/** Some 12 statements; every day each class of error meets one of them in turn, and a few errors meet all. */
const inTurn = process.env.LONG ? [] : ours.filter(isFirstOfClass);
test.each([
  { lasts: false, codes: process.env.LONG ? ours : ["42703", "42501", "XX000"] },
  { lasts: true, codes: process.env.LONG ? ours : ["42703", ...inTurn] },
])(
  "a fault of ours from any statement of a push on sets nothing aside, and the register keeps its sale (lasting: $lasts)",
  async ({ lasts, codes }) => {
    const faults = await sabotage(service.deps.pool);
    let happened = 0;
    for (const [i, code] of codes.entries()) {
      const only = lasts && inTurn.includes(code) ? 1 + (i % 8) : undefined;
      for (let place = only ?? 1, more = true; more; place++) {
        const { id } = sale();
        const record = { type: "sale", id, data: sale({ id }) };
        const seq = till.next;
        faults.failAt(place, code, lasts);
        const first = await till.push([record]);
        more = faults.end();
        if (more) happened += 1;
        expect(await setAside(), `${code} at ${place}`).toBe(0);
        expect(first.status === 200 || first.headers.has("retry-after") || place === 1, `${code} at ${place}`).toBe(
          true,
        );
        if (first.status !== 200) {
          expect(first.status, `${code} at ${place}`).toBeGreaterThanOrEqual(500);
          till.next = seq;
          const again = await till.push([record]);
          expect(again.status, `${code} at ${place}`).toBe(200);
        }
        expect(await isListed(id), `${code} at ${place}`).toBe(true);
        if (only !== undefined) break;
      }
    }
    expect(happened).toBeGreaterThan(lasts && inTurn.length > 0 ? codes.length : codes.length * 5);
    const doubled = await rows(
      `select 1 from events where account_id = $1 and type = 'sale.created' group by body->'data'->'object'->>'id' having count(*) > 1`,
    );
    expect(doubled).toEqual([]);
  },
);

test("an error that names the record's value sets that record alone aside, is told, and comes back when asked", async () => {
  const faults = await sabotage(service.deps.pool);
  const owner = await openAgain(service, shop, "");
  let aside = 0;
  for (const code of ofTheRecord) {
    for (let place = 1, more = true; more; place++) {
      const ids = [randomUUID(), randomUUID()];
      const seq = till.next;
      faults.failAt(place, code, false);
      const records = ids.map((id) => ({ type: "sale", id, data: sale({ id }) }));
      const answer = await till.push(records);
      more = faults.end();
      if (answer.status !== 200) {
        till.next = seq;
        expect((await till.push(records)).status, `${code} at ${place}`).toBe(200);
      }
      if ((await setAside()) > 0) aside += 1;
      const { status } = await owner.post(`/devices/${till.deviceId}/quarantined/retry`, {});
      expect(status).toBe(200);
      for (const id of ids) expect(await isListed(id), `${code} at ${place}`).toBe(true);
    }
  }
  // The whole push is tried first and the record alone after it: a fault that happens once sets nothing aside.
  expect(aside).toBe(0);
  for (const code of ofTheRecord) {
    const victim = randomUUID();
    const mend = await refuseRecords(service.deps.pool, "sales", code, [victim]);
    const neighbour = randomUUID();
    const { body } = await till.push([victim, neighbour].map((id) => ({ type: "sale", id, data: sale({ id }) })));
    expect(body.results.map((one: { status: string; code: string | null }) => [one.status, one.code])).toEqual([
      ["quarantined", "VALUE_REFUSED"],
      ["applied", null],
    ]);
    expect([await isListed(victim), await isListed(neighbour)]).toEqual([false, true]);
    const [shown] = (await owner.get(`/devices/${till.deviceId}/quarantined`)).body.data;
    expect(shown).toMatchObject({ record_id: victim, state: "refused", reason: expect.stringContaining(code) });
    await mend();
    const { body: tried } = await owner.post(`/devices/${till.deviceId}/quarantined/retry`, {});
    expect(tried).toEqual({ stored: 1, refused: 0, waiting: 0 });
    expect(await isListed(victim)).toBe(true);
  }
});

async function setAside(): Promise<number> {
  const [counted] = await rows("select count(*)::int as count from quarantined_records where account_id = $1");
  return counted.count;
}

async function isListed(id: string): Promise<boolean> {
  return (await shop.api.get(`/sales/${id}`)).status === 200;
}
