import { describe, expect, test } from "vitest";
import { cashSessions } from "../../src/business/cash-sessions/resource.ts";
import { customers } from "../../src/business/customers/resource.ts";
import { newLedger } from "../../src/business/products/ledger.ts";
import { products } from "../../src/business/products/resource.ts";
import { sql } from "../../src/db/sql.ts";
import { apidianAuthority } from "../../src/fiscal/authority/apidian/adapter.ts";
import { resendDocument } from "../../src/fiscal/documents/resend-document.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { minute, second } from "../../src/lib/clock.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import {
  acceptOnce,
  found,
  type Reply,
  invalid as rejected,
  rule90,
  sendReply,
  sentBefore,
  statusReply,
  testSetReply,
  zipStatusReply,
} from "../support/apidian.ts";
import { apidianPerTest } from "../support/apidian-shop.ts";
import { advance, changeSale, documentsOf, fiscalBusiness, plainSale, ringUp } from "../support/fiscal.ts";
import { perTest, sharedService } from "../support/fixtures.ts";
import { openAgain } from "../support/portal.ts";
import { mostrador } from "../support/process.ts";
import {
  cashSessionBody,
  change,
  customerBody,
  productBody,
  saleBody,
  saleItemBody,
  store,
} from "../support/records.ts";

const { service, apidian, shop, worker, workerWith, sellOne, documentOf, untilDecided, first } = apidianPerTest();

describe("each row of the lifecycle", () => {
  test("IsValid true issues it", async () => {
    const document = await untilDecided(await sellOne());
    expect(document).toMatchObject({ status: "issued", dian_status: "00" });
    expect(document.dian_message).toContain("ha sido autorizada");
    expect(apidian.sends).toHaveLength(1);
  });

  test.each<[string, Reply]>([
    ["the connection is cut", "cut"],
    ["nothing answers in time", "hang"],
    ["500 with a page", { status: 500, raw: "<html>Whoops</html>" }],
    ["503", { status: 503, body: { message: "Service Unavailable" } }],
    ["200 with garbage", { raw: "<?xml not json" }],
    ["200 with an empty body", { raw: "" }],
    ["200 without a decision", { body: { message: "ok", ResponseDian: {} } }],
    ["200 with null", { raw: "null" }],
    [
      "the authority is not available",
      { body: { success: false, message: "En este momento el servicio de la DIAN no está disponible." } },
    ],
  ])("%s: the document stays pending, is queried by its code and is sent again", async (_name, reply) => {
    first(reply);
    const id = await sellOne();
    const hasty = apidianAuthority({ url: apidian.url, token: "secreto", ...(reply === "hang" && { timeoutMs: 300 }) });
    await fiscalWorker(service.deps, hasty).workOff();
    expect((await documentOf(id)).status).toBe("pending");
    expect(apidian.queries).toHaveLength(0);
    expect((await untilDecided(id)).status).toBe("issued");
    expect(apidian.sends).toHaveLength(2);
    expect(apidian.queries[0]!.path).toBe(`/status/document/${(await documentOf(id)).cufe}`);
    expect(apidian.queries[0]!.body).toEqual({
      sendmail: false,
      sendmailtome: false,
      is_payroll: false,
      is_eqdoc: true,
    });
  });

  test("a response lost after the authority accepted the document: it is found, not sent again", async () => {
    const take = apidian.onSend;
    apidian.onSend = async (received): Promise<Reply> => {
      await take(received);
      return "cut";
    };
    expect((await untilDecided(await sellOne())).status).toBe("issued");
    expect(apidian.sends).toHaveLength(1);
  });

  test("200 with a rejection rejects it, and the message has every rule", async () => {
    const rules = [
      "Regla: FAD06, Rechazo: Valor del CUFE no está calculado correctamente",
      "Regla: FAJ43b, Notificación: …",
    ];
    first(sendReply({ ...rejected, ErrorMessage: { string: rules } }));
    const document = await untilDecided(await sellOne());
    expect(document).toMatchObject({ status: "rejected", dian_status: "99", dian_message: rules.join(" | ") });
  });

  test("a rejection by a single rule comes as text, not as a list", async () => {
    first(sendReply({ ...rejected, ErrorMessage: { string: "Regla: FAU14, Rechazo: Valor a Pagar" } }));
    expect(await untilDecided(await sellOne())).toMatchObject({ dian_message: "Regla: FAU14, Rechazo: Valor a Pagar" });
  });

  test("rule 90 is not a rejection: a query shows that it was issued", async () => {
    apidian.onSend = (received) => {
      acceptOnce(apidian, received);
      return sendReply({ ...rejected, ErrorMessage: { string: rule90 } });
    };
    expect((await untilDecided(await sellOne())).status).toBe("issued");
    expect(apidian.sends).toHaveLength(1);
    expect(apidian.queries).toHaveLength(1);
  });

  test("the provider's own word for a document it sent before is a duplicate too", async () => {
    apidian.onSend = (received) => {
      acceptOnce(apidian, received);
      return sentBefore;
    };
    expect((await untilDecided(await sellOne())).status).toBe("issued");
    expect([apidian.sends.length, apidian.queries.length]).toEqual([1, 1]);
  });

  test("an answer that comes after the connection was cut is found by asking", async () => {
    let arrive = () => {};
    apidian.onSend = (received) => {
      arrive = () => acceptOnce(apidian, received);
      return "cut";
    };
    const id = await sellOne();
    await worker.workOff();
    arrive();
    expect((await untilDecided(id)).status).toBe("issued");
    expect(apidian.sends).toHaveLength(1);
  });

  test("rule 90 for a number that the authority has under another code is a configuration fault", async () => {
    first(sendReply({ ...rejected, ErrorMessage: { string: rule90 } }));
    const document = await untilDecided(await sellOne());
    expect(document).toMatchObject({ status: "emission_failed", dian_status: "90" });
    expect(apidian.sends).toHaveLength(1);
  });

  test("in process: it is queried again until there is a decision", async () => {
    const inProcess = { StatusDescription: "Batch en proceso de validación." };
    first(() => sendReply({ IsValid: "false", StatusCode: { _attributes: { nil: "true" } }, ...inProcess }));
    let asked = 0;
    apidian.onQuery = (key) =>
      ++asked < 4 ? statusReply({ StatusCode: asked < 2 ? "" : "98", ...inProcess }) : found(key);
    expect((await untilDecided(await sellOne())).status).toBe("issued");
    expect([apidian.sends.length, asked]).toEqual([1, 4]);
  });

  test("a test set returns a ZipKey, and its status has another shape", async () => {
    await setProfile(service.deps, shop.accountId, { settings: { test_set_id: "abc-123" } });
    first(testSetReply("zip-key-1"));
    let asked = 0;
    apidian.onQuery = () =>
      ++asked === 1
        ? zipStatusReply({ StatusDescription: "Batch en proceso de validación." })
        : zipStatusReply({ IsValid: "true", StatusCode: "00", StatusDescription: "Procesado Correctamente." });
    expect((await untilDecided(await sellOne())).status).toBe("issued");
    expect(apidian.sends[0]!.path).toBe("/eqdoc/abc-123");
    expect(apidian.queries[0]!.path).toBe("/status/zip/zip-key-1");
  });

  test("66, not received: it is sent again", async () => {
    first("cut", "cut");
    expect((await untilDecided(await sellOne())).status).toBe("issued");
    expect(apidian.sends).toHaveLength(3);
    expect(new Set(apidian.sends.map(({ cufe }) => cufe)).size).toBe(1);
  });

  test.each<[string, Reply, string]>([
    [
      "89",
      sendReply({
        StatusCode: "89",
        StatusDescription: "NIT 1 no autorizado a enviar documentos para emisor con NIT 2.",
      }),
      "no autorizado",
    ],
    [
      "2",
      sendReply({ StatusCode: "2", StatusDescription: "Set de prueba con identificador x se encuentra Aceptado." }),
      "Set de prueba",
    ],
    [
      "a SOAP fault",
      {
        body: {
          ResponseDian: {
            Envelope: {
              Body: { Fault: { Reason: { Text: { _value: "An error occurred when verifying security" } } } },
            },
          },
        },
      },
      "security",
    ],
    ["401", { status: 401, body: { message: "Unauthenticated." } }, "Unauthenticated"],
    ["403", { status: 403, body: {} }, "token"],
    [
      "422",
      {
        status: 422,
        body: { message: "The given data was invalid.", errors: { "customer.name": ["El campo es obligatorio."] } },
      },
      "customer.name: El campo es obligatorio.",
    ],
    ["404", { status: 404, raw: "<html>" }, "APIDIAN_URL"],
    [
      "an expired certificate",
      { body: { success: false, message: "El certificado digital se encuentra vencido." } },
      "certificado",
    ],
  ])("%s: emission_failed with the reason, and no automatic retry", async (_name, reply, message) => {
    apidian.onSend = () => reply;
    const id = await sellOne();
    const document = await untilDecided(id);
    expect(document.status).toBe("emission_failed");
    expect(document.dian_message).toContain(message);
    advance(service, 600 * minute);
    expect(await worker.workOff()).toBe(0);
    expect(apidian.sends).toHaveLength(1);
  });

  test("an annulment's note is issued, and the original is annulled", async () => {
    const id = await sellOne();
    await untilDecided(id);
    await changeSale(service, shop.accountId, id, { status: "cancelled" });
    expect((await documentOf(id)).status).toBe("issued");
    await worker.workOff();
    const [original, note] = await documentsOf(service, shop.accountId, id);
    expect(original).toMatchObject({ status: "annulled", document_type: "pos_document" });
    expect(note).toMatchObject({ status: "issued", document_type: "pos_adjustment_note", type_document_id: 26 });
  });
});

describe("what the provider would refuse", () => {
  const strict = sharedService({ FISCAL_AUTHORITY: "apidian", APIDIAN_URL: "http://127.0.0.1:9/api/ubl2.1" });
  const business = perTest(() => fiscalBusiness(strict));
  const own = perTest(() => fiscalWorker(strict.deps, apidianAuthority({ url: apidian.url, token: "secreto" })));

  const sell = async (fields: Parameters<typeof saleBody>[1] = {}) => {
    const [sale] = await ringUp(strict, business.accountId, (at) => [saleBody(at, fields)]);
    return (await documentsOf(strict, business.accountId, sale!.id))[0]!;
  };
  const buyerWith = async (fields: object) => {
    const at = strict.deps.clock.now().toISOString();
    const body = customerBody(at, fields);
    await store(strict.deps, business.accountId, customers, () => [{ body }]);
    return body.id;
  };

  test("a business without its postal zone uses no number, and the document goes out once it has one", async () => {
    await setProfile(strict.deps, business.accountId, { settings: { postal_zone_code: null } });
    const failed = await sell();
    expect(failed).toMatchObject({ status: "emission_failed", number: 0, cufe: null });
    expect(failed.dian_message).toBe(
      "Falta la zona postal del negocio (6 dígitos). Corríjalo en el perfil fiscal y reenvíe el documento.",
    );
    await setProfile(strict.deps, business.accountId, { settings: { postal_zone_code: "050021" } });
    expect(await resendDocument(strict.deps, business.accountId, failed.id)).toMatchObject({ number: 1 });
    await own.workOff();
    expect((await documentsOf(strict, business.accountId, failed.sale_id!))[0]).toMatchObject({ status: "issued" });
    expect((await verify(strict.deps.pool)).problems).toEqual([]);
  });

  test.each<[string, () => Promise<Parameters<typeof saleBody>[1]>, string]>([
    [
      "a tax that it has no row for",
      async () => {
        const [tax] = saleItemBody().taxes!;
        const taxes = [{ ...tax!, code: "34", name: "IBUA" }];
        return { items: [saleItemBody({ taxes })], tax_breakdown: [{ ...taxes[0]!, name: undefined } as never] };
      },
      "no puede llevar el impuesto 34",
    ],
    [
      "an invoice to a buyer without a document",
      async () => ({ document_kind: "invoice", customer_id: await buyerWith({ document_number: " " }) }),
      "no tiene número de documento",
    ],
    [
      "a NIT with a wrong check digit",
      async () => ({
        document_kind: "invoice",
        customer_id: await buyerWith({ document_type: "NIT", document_number: "900166483-2" }),
      }),
      "el dígito de verificación de 900166483 es 1",
    ],
    ["sums that are not the lines'", async () => ({ total: 9000, subtotal: 9000 }), "FAU02"],
  ])("%s uses no number and says what to do, in the portal and the command line", async (_name, fields, words) => {
    const failed = await sell(await fields());
    expect(failed).toMatchObject({ status: "emission_failed", number: 0 });
    expect(failed.dian_message).toContain(words);
    expect(failed.dian_message).toMatch(/reenvíe el documento\.$/);
    const owner = await openAgain(strict, business, `${business.accountId}@example.com`);
    const [told] = (await owner.get("/invoices/unissued")).body.data;
    expect(told).toMatchObject({ id: failed.id, reason: failed.dian_message });
    const env = { DATABASE_URL: strict.databaseUrl, SECRET_KEY: strict.deps.config.secretKey };
    expect((await mostrador(["fiscal", "show", business.accountId], env)).stdout).toContain(failed.dian_message);
    expect(await sell()).toMatchObject({ status: "pending", number: 1 });
  });

  test("a rejected document is corrected and sent again with its number, and then issued; each event once", async () => {
    const id = await buyerWith({ document_number: "1" });
    const wrongBuyer = "Regla: FAK21, Rechazo: No informado el número de identificación del adquiriente";
    const usual = apidian.onSend;
    apidian.onSend = (received) =>
      received.body.customer.identification_number === "1"
        ? sendReply({ ...rejected, ErrorMessage: { string: wrongBuyer } })
        : usual(received);
    const document = await sell({ document_kind: "invoice", customer_id: id });
    await own.workOff();
    await change(strict.deps, business.accountId, customers, id, () => ({ document_number: "71234567" }));
    await resendDocument(strict.deps, business.accountId, document.id);
    await own.workOff();
    expect((await documentsOf(strict, business.accountId, document.sale_id!))[0]).toMatchObject({
      status: "issued",
      number: document.number,
    });
    const events = (await business.api.get("/events?limit=100")).body.data.map(({ type }: { type: string }) => type);
    expect(events.filter((type: string) => type.startsWith("invoice")).sort()).toEqual([
      "invoice.issued",
      "invoice.rejected",
    ]);
    expect((await verify(strict.deps.pool)).problems).toEqual([]);
  });

  test("the document says who sold it and where, and each line its unit", async () => {
    const at = strict.deps.clock.now().toISOString();
    const session = cashSessionBody(at, { register_name: "Caja 2", opened_by: "Luisa" });
    const cheese = productBody(at, { base_unit: "kg", name: "Queso" });
    await store(strict.deps, business.accountId, cashSessions, () => [{ body: session }]);
    await store(strict.deps, business.accountId, products, () => [{ body: cheese, ...newLedger(0) }]);
    const item = saleItemBody({ product_id: cheese.id, quantity: 0.5, unit_price: 12_800 });
    await sell({ cash_session_id: session.id, items: [item] });
    await own.workOff();
    const { body } = apidian.sends.at(-1)!;
    expect(body.cash_information).toMatchObject({ plate_number: "Caja 2", cashier: "Luisa" });
    expect(body.invoice_lines[0]).toMatchObject({
      unit_measure_id: 767,
      price_amount: "10756.00",
      base_quantity: "0.5",
    });
  });
});

test("a rejection text that cannot be stored, or is too long, is cleaned and cut", async () => {
  const rule = `Regla: FAD06, Rechazo: \u0000 \ud800 ${"x".repeat(5000)}`;
  first(sendReply({ ...rejected, ErrorMessage: { string: rule } }));
  const document = await untilDecided(await sellOne());
  expect(document.status).toBe("rejected");
  expect(document.dian_message).toHaveLength(2000);
});

test("after minutes without a decision the business is notified once, and the document keeps waiting", async () => {
  apidian.onSend = () => sendReply({ StatusCode: "98", StatusDescription: "En Proceso" });
  apidian.onQuery = () => statusReply({ StatusCode: "98", StatusDescription: "En Proceso" });
  const id = await sellOne();
  expect((await untilDecided(id, 40)).status).toBe("pending");
  const { rows } = await service.deps.pool.query(sql`
    select kind, subject, times from notices where account_id = ${shop.accountId}`);
  expect(rows).toEqual([{ kind: "authority_stalled", subject: "slow", times: 1 }]);
  await service.deps.pool.query(sql`delete from fiscal_documents where account_id = ${shop.accountId}`);
});

test("a business without a token gets emission_failed, and nothing is sent", async () => {
  const tokenless = workerWith({ token: undefined });
  expect(await untilDecided(await sellOne(), 30, tokenless)).toMatchObject({ status: "emission_failed" });
  expect(apidian.sends).toEqual([]);
});

test("a response larger than any decision leaves the document undecided", async () => {
  first({ raw: `{"a":"${"x".repeat(9 * 1024 * 1024)}"}` });
  const patient = workerWith({ token: "secreto", timeoutMs: 5 * second });
  const [sale] = await ringUp(service, shop.accountId, (at) => [plainSale(at, 5000)]);
  await patient.workOff();
  expect((await documentOf(sale!.id)).status).toBe("pending");
  expect((await untilDecided(sale!.id, 30, patient)).status).toBe("issued");
});
