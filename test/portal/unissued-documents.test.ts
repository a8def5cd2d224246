import { describe, expect, test } from "vitest";
import { changeSale } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { openIssuing, sellAndDecide } from "../support/issuing.ts";
import { openPortal, type Portal } from "../support/portal.ts";

const service = sharedService();

const pos = { kind: "pos", prefix: "EPOS", from: 1, to: 5000, valid_until: "2099-12-31" };

const unissued = async (owner: Portal) => (await owner.get("/invoices/unissued")).body.data;

describe("documents that were not issued", () => {
  test("are listed with the reason, sent again once it is resolved, and then leave the list", async () => {
    const owner = await openIssuing(service, { to: 2 });
    await sellAndDecide(service, owner.accountId, 10_000, 8_013, 9_000);
    const [waiting, rejected] = await unissued(owner);
    expect(rejected).toMatchObject({ status: "rejected", prefix: "EPOS", number: 2, total: 8_013, can_resend: true });
    expect(rejected.reason).toMatch(/^Regla: FAD06/);
    expect(rejected.means).toContain("código único");
    const file = (await owner.download("/tables/unissued.csv")).bytes.toString("utf8");
    expect(file).toMatch(/EPOS 2;Documento POS;Rechazado;8013;El código único/);
    expect(waiting).toMatchObject({ status: "emission_failed", number: 0, can_resend: true, is_from_register: false });
    expect(waiting.reason).toContain("se agotó");
    const inVain = await owner.post(`/invoices/${waiting.id}/resend`);
    expect([inVain.status, inVain.body.status]).toEqual([202, "emission_failed"]);
    expect(inVain.body.reason).toContain("se agotó");

    await owner.confirmed("/numbering-ranges", { ...pos, prefix: "EPO2" });
    const again = await owner.post(`/invoices/${waiting.id.toUpperCase()}/resend`);
    expect([again.status, again.body]).toEqual([
      202,
      { id: waiting.id, status: "pending", prefix: "EPO2", number: 1, reason: null },
    ]);
    const twice = await owner.post(`/invoices/${waiting.id}/resend`);
    expect([twice.status, twice.body.error.code]).toEqual([409, "DOCUMENT_NOT_RESENDABLE"]);
    expect((await unissued(owner)).map((one: { id: string }) => one.id)).toEqual([rejected.id]);
    const log = (await owner.get("/audit-log?limit=1")).body.data[0];
    expect(log).toMatchObject({ action: "invoice.resent", details: { invoice_id: waiting.id, status: "pending" } });
  });

  test("are paged newest first, both kinds together", async () => {
    const owner = await openIssuing(service, { to: 3 });
    await sellAndDecide(service, owner.accountId, 8_013, 8_113, 8_213);
    await sellAndDecide(service, owner.accountId, 1_000, 2_000);
    const totals: number[] = [];
    let after = "";
    for (let i = 0; i < 3; i++) {
      const { body } = await owner.get(`/invoices/unissued?limit=2${after}`);
      totals.push(...body.data.map((one: { total: number }) => one.total));
      expect(body.has_more).toBe(i < 2);
      after = `&starting_after=${body.next_cursor}`;
    }
    expect(totals.toSorted((a, b) => a - b)).toEqual([1_000, 2_000, 8_013, 8_113, 8_213]);
    expect(new Set(totals.slice(0, 2))).toEqual(new Set([1_000, 2_000]));
  });

  test("need no action once their sale is cancelled", async () => {
    const owner = await openIssuing(service);
    const [sale] = await sellAndDecide(service, owner.accountId, 8_013);
    expect(await unissued(owner)).toHaveLength(1);
    await changeSale(service, owner.accountId, sale!, { status: "cancelled" });
    expect(await unissued(owner)).toEqual([]);
  });

  test("of another account are not found, nor are ill-formed ids", async () => {
    const owner = await openIssuing(service);
    await sellAndDecide(service, owner.accountId, 8_013);
    const [document] = await unissued(owner);
    const stranger = await openPortal(service);
    const foreign = await stranger.post(`/invoices/${document.id}/resend`);
    expect([foreign.status, foreign.body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect(await unissued(stranger)).toEqual([]);
    expect((await unissued(owner))[0].status).toBe("rejected");
    const none = await owner.post("/invoices/nada/resend");
    expect([none.status, none.body.error.param]).toEqual([400, "id"]);
  });

  test("and ranges that are about to end are listed as needing attention", async () => {
    const owner = await openIssuing(service, { to: 10 });
    await sellAndDecide(service, owner.accountId, ...Array<number>(9).fill(10_000));
    const concerns = async () => (await owner.get("/attention")).body.data;
    expect(await concerns()).toMatchObject([{ kind: "range_ending", range_kind: "pos", prefix: "EPOS", remaining: 1 }]);
    await sellAndDecide(service, owner.accountId, 10_000, 10_000);
    expect(await concerns()).toMatchObject([
      { kind: "documents_unissued", count: 1, has_more: false },
      { kind: "range_ended", remaining: 0 },
    ]);
  });
});
