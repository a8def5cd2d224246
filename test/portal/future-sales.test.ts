import { expect, test } from "vitest";
import { day } from "../../src/lib/clock.ts";
import { plainSale } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { openPortal } from "../support/portal.ts";
import { enrol, upload } from "../support/register.ts";

const service = verifiedService();

test("a sale that a wrong clock dated 2099 stands behind the others in Ventas, on whichever page", async () => {
  const owner = await openPortal(service);
  const till = await enrol(service, owner.accountId);
  const sale = async (occurred_at: string, total: number) => {
    const { id, ...data } = upload(plainSale(occurred_at, total));
    await till.put("sale", { id, ...data });
  };
  const at = (ago: number) => new Date(Date.now() - ago).toISOString();
  await sale("2099-01-01T12:00:00.000Z", 1);
  await sale("2098-01-01T12:00:00.000Z", 2);
  // A register an hour ahead is as any other.
  for (const [i, ago] of [3 * day, 2 * day, 0, -3_600_000].entries()) await sale(at(ago), 10 + i);
  for (const limit of [2, 3, 4, 5, 100]) {
    const totals: number[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "" : `&starting_after=${encodeURIComponent(cursor)}`;
      const { status, body } = await owner.get(`/sales?limit=${limit}${query}`);
      expect(status).toBe(200);
      totals.push(...body.data.map(({ total }: { total: number }) => total));
      cursor = body.next_cursor;
    }
    expect(totals, `by ${limit}`).toEqual([13, 12, 11, 10, 1, 2]);
  }
  const { body } = await owner.get("/sales?occurred_since=2098-06-01T00:00:00Z");
  expect(body.data.map(({ total }: { total: number }) => total)).toEqual([1]);
});
