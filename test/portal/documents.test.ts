import { describe, expect, test } from "vitest";
import { customers } from "../../src/business/customers/resource.ts";
import { invoices } from "../../src/business/invoices/resource.ts";
import { changeSale, documentsOf, plainSale, ringUp } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { decideAll, openIssuing, sellAndDecide } from "../support/issuing.ts";
import { openPortal, type Portal } from "../support/portal.ts";
import { customerBody, invoiceBody, store } from "../support/records.ts";

const service = sharedService();

const numbers = async (owner: Portal, query: string) =>
  (await owner.get(`/invoices${query}`)).body.data.map(({ number }: { number: number }) => number);

describe("the list of documents", () => {
  test("has all of them, newest first, and can be filtered", async () => {
    const owner = await openIssuing(service);
    const { accountId } = owner;
    const [customer] = await store(service.deps, accountId, customers, (at) => [
      { body: customerBody(at, { name: "Ana", last_name: "Ríos", document_number: "1020" }) },
    ]);
    await sellAndDecide(service, accountId, 10_000, 8_013);
    await ringUp(service, accountId, (at) => [plainSale(at, 12_000, { customer_id: customer!.id })]);
    await decideAll(service);
    await store(service.deps, accountId, invoices, (at) => [
      {
        body: invoiceBody(at, {
          prefix: "FV",
          number: 900,
          document_type: "internal_invoice",
          issued_at: "2020-01-02T15:00:00.000Z",
          total: 5_000,
          tax: 0,
        }),
      },
    ]);
    expect(new Set(await numbers(owner, ""))).toEqual(new Set([1, 2, 3, 900]));
    expect((await numbers(owner, "")).at(-1)).toBe(900);
    expect(await numbers(owner, "?status=rejected")).toEqual([2]);
    expect(await numbers(owner, "?document_type=internal_invoice")).toEqual([900]);
    expect(await numbers(owner, "?number=EPOS-3")).toEqual([3]);
    expect(await numbers(owner, "?number=FV3")).toEqual([]);
    expect(await numbers(owner, "?issued_until=2021-01-01T00:00:00Z")).toEqual([900]);
    const [bought] = (await owner.get(`/invoices?customer_id=${customer!.id}`)).body.data;
    expect(bought).toMatchObject({ number: 3, status: "issued", buyer: { name: "Ana Ríos", document_number: "1020" } });
    expect((await owner.get("/invoices?status=rejected")).body.data[0].reason).toMatch(/^Regla: FAD06/);
    expect((await owner.get("/invoices/totals?issued_since=2021-01-01T00:00:00Z")).body).toEqual({
      count: 3,
      total: 30_013,
      tax: 0,
      notes: { count: 0, total: 0, tax: 0 },
    });
    const file = (await owner.download("/tables/invoices.csv?status=issued")).bytes.toString("utf8");
    expect(file).toMatch(/EPOS 3;Documento POS;Aceptado;Ana Ríos;1020;12000;0;12000;[0-9a-f]{96};/);
  });

  test.each([
    ["status=perdido", "status"],
    ["document_type=boleta", "document_type"],
    ["number=%20-%20", "number"],
    ["issued_since=hoy", "issued_since"],
    ["q=1", "q"],
  ])("refuses %s and names it", async (filter, param) => {
    const owner = await openPortal(service);
    const { status, body } = await owner.get(`/invoices?${filter}`);
    expect([status, body.error.param]).toEqual([400, param]);
  });
});

describe("a document", () => {
  test("that was rejected has each rule in plain words, and can be resent", async () => {
    const owner = await openIssuing(service);
    const [sale] = await sellAndDecide(service, owner.accountId, 8_013);
    const [document] = await documentsOf(service, owner.accountId, sale!);
    const { body } = await owner.get(`/invoices/${document!.id}`);
    expect(body).toMatchObject({
      document: { status: "rejected", number: 1 },
      sale: { id: sale, total: 8_013 },
      rules: [{ code: "FAD06", is_notice: false }],
      can_resend: true,
      is_from_register: false,
    });
    expect(body.catalogue_url).toBe(
      `https://catalogo-vpfe-hab.dian.gov.co/document/searchqr?documentkey=${document!.cufe}`,
    );
  });

  test("and the note that annuls it lead to each other", async () => {
    const owner = await openIssuing(service);
    const [sale] = await sellAndDecide(service, owner.accountId, 10_000);
    await changeSale(service, owner.accountId, sale!, { status: "cancelled" });
    await decideAll(service);
    const [original, note] = await documentsOf(service, owner.accountId, sale!);
    const shown = (await owner.get(`/invoices/${original!.id}`)).body;
    expect(shown).toMatchObject({
      document: { status: "annulled" },
      notes: [{ id: note!.id }],
      corrects: null,
      rules: [],
    });
    expect((await owner.get(`/invoices/${note!.id}`)).body).toMatchObject({
      corrects: { id: original!.id },
      notes: [],
    });
    expect((await owner.get("/invoices/totals")).body).toMatchObject({ count: 1, notes: { count: 1, total: 10_000 } });
  });

  test("of another account does not exist, and an id that is none is refused", async () => {
    const owner = await openIssuing(service);
    const [sale] = await sellAndDecide(service, owner.accountId, 10_000);
    const [document] = await documentsOf(service, owner.accountId, sale!);
    const stranger = await openPortal(service);
    expect((await stranger.get(`/invoices/${document!.id}`)).status).toBe(404);
    expect((await stranger.get("/invoices")).body.data).toEqual([]);
    expect((await owner.get("/invoices/nada")).body.error.param).toBe("id");
  });
});
