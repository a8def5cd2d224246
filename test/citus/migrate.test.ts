import { describe, expect, test } from "vitest";
import { createPool } from "../../src/db/create-pool.ts";
import { distribute } from "../../src/db/distribute.ts";
import { migrate } from "../../src/db/migrate.ts";
import { freshDatabase } from "../support/service.ts";

const accountId = "01990000-0000-7000-8000-000000000001";
const nil = "00000000-0000-0000-0000-000000000000";

describe.skipIf(!process.env.CITUS_URL)("on Citus", () => {
  test("a distributed installation of before 0017 is brought up to date, its totals with it", async () => {
    const database = await freshDatabase();
    const pool = createPool({ url: database.url, max: 2 });
    try {
      // As it was after 0009.
      for (const text of [
        "drop table sale_hours, sale_shifts",
        `create table sale_hours (account_id uuid not null, day date not null, hour smallint not null, device_id uuid not null,
          cash_session_id uuid not null, payment_method text not null, tickets bigint not null, total numeric not null,
          tax numeric not null, discount numeric not null, tip numeric not null, returned numeric not null default 0,
          constraint sale_hours_pkey primary key (account_id, day, hour, device_id, cash_session_id, payment_method))`,
        "select create_distributed_table('sale_hours', 'account_id', colocate_with => 'account_clock')",
        `insert into sale_hours select '${accountId}', '2026-11-01', 8, '${nil}', '${nil}', method, 1, 10, 1, 0, 0
          from unnest(array['cash', 'card']) method`,
        "delete from migrations where name like '0017-%'",
      ])
        await pool.query(text);
      expect(await migrate(pool)).toContain("0017-sale-shifts.sql");
      expect(await distribute(pool)).toMatchObject({ distributed: ["sale_hours", "sale_shifts"], copied: [] });
      const { rows } = await pool.query(
        "select hour, tickets, total, (select count(*) from sale_shifts where account_id = h.account_id) as shifts from sale_hours h",
      );
      expect(rows).toEqual([{ hour: 8, tickets: 2, total: 20, shifts: 2 }]);
    } finally {
      await pool.end();
      await database.drop();
    }
  });
});
