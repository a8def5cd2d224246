import { describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";

const service = sharedService();
const shop = sharedShop(service);

describe("date-times", () => {
  const list = (parameter: string, value: string) =>
    shop.api.get(`/customers?${parameter}=${encodeURIComponent(value)}`);

  test.each([
    "2026-09-28",
    "2026-09-28T14:05:00",
    "2026-09-28 14:05:00Z",
    "2026-09-28T14:05Z",
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "2026-04-00T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "12026-01-01T00:00:00Z",
    "-2026-01-01T00:00:00Z",
    "2026-09-28T24:00:00Z",
    "2026-09-28T23:60:00Z",
    "2026-09-28T23:59:60Z",
    "2026-09-28T14:05:00.Z",
    "2026-09-28T14:05:00+0500",
    "2026-09-28T14:05:00+05",
    "2026-09-28T14:05:00+15:00",
    "2026-09-28T14:05:00 05:00",
    "2026-09-28T14:05:00−05:00",
    "1790000000",
    "now",
    "infinity",
    "",
  ])("%s is refused", async (value) => {
    expectError(await list("created_since", value), "VALIDATION_ERROR", { param: "created_since" });
  });

  test("an offset whose + was not encoded is refused with the way to write it", async () => {
    const hint = "En la URL un `+` es un espacio: escríbalo `%2B`.";
    for (const path of ["/customers?created_since", "/sales?occurred_until", "/events?created_since"]) {
      for (const instant of ["2026-09-28T14:05:00+00:00", "2026-09-28T14:05:00.123+05:00"])
        expect((await shop.api.get(`${path}=${instant}`)).body.error.message).toContain(hint);
      expect((await shop.api.get(`${path}=2026-09-28T14:05:00%2B00:00`)).status).toBe(200);
    }
    for (const other of ["2026-09-28", "ayer 05:00", "2026-09-28 14:05"])
      expect((await list("created_since", other)).body.error.message).not.toContain("%2B");
  });

  test.each([
    "2026-09-28T14:05:00Z",
    "2026-09-28t14:05:00z",
    "2026-09-28T14:05:00-05:00",
    "2026-09-28T14:05:00+14:00",
    "2026-09-28T14:05:00.1Z",
    "2026-09-28T14:05:00.123456789Z",
    "2024-02-29T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
  ])("%s is accepted", async (value) => {
    expect((await list("created_since", value)).status).toBe(200);
    expect((await list("updated_since", value)).status).toBe(200);
  });

  test("the same instant in any time zone selects the same records, to the microsecond", async () => {
    const { api } = await service.business();
    const { body } = await api.post("/customers", { name: "Ana" });
    const found = async (value: string) =>
      (await api.get(`/customers?created_since=${encodeURIComponent(value)}`)).body.data.length;
    const at = new Date(body.created_at);
    const inBogota = new Date(at.getTime() - 5 * 3_600_000).toISOString().replace("Z", "-05:00");
    expect(await found(body.created_at)).toBe(1);
    expect(await found(inBogota)).toBe(1);
    expect(await found(body.created_at.toLowerCase())).toBe(1);
    expect(await found(body.created_at.replace("Z", "000Z"))).toBe(1);
    expect(await found(body.created_at.replace("Z", "001Z"))).toBe(0);
    expect(await found(inBogota.replace("-05:00", "001-05:00"))).toBe(0);
  });

  test("a cursor continues however its instants are written", async () => {
    const { api } = await service.business();
    for (const name of ["Ana", "Eva"]) await api.post("/customers", { name });
    const page = (since: string, more = "") =>
      api.get(`/customers?limit=1&created_since=${encodeURIComponent(since)}${more}`);
    const first = (await page("2026-01-01T00:00:00Z")).body;
    for (const since of ["2026-01-01t00:00:00z", "2025-12-31T19:00:00.000000-05:00", "2025-12-31T23:59:59.9999Z"]) {
      const next = await page(since, `&starting_after=${first.next_cursor}`);
      expect(next.body.data).toMatchObject([{ name: "Ana" }]);
    }
    expectError(await page("2026-01-01T00:00:01Z", `&starting_after=${first.next_cursor}`), "INVALID_CURSOR", {
      param: "starting_after",
    });
  });
});
