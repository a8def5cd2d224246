import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { ago, atCounter, atCounters, bread, type Fields, hourMs, now } from "../support/counter-shop.ts";
import { verifiedService } from "../support/fixtures.ts";
import { remoteEdit } from "../support/register.ts";

const service = verifiedService();
const { shop, sellAt } = atCounters(service);
type Shop = Awaited<ReturnType<typeof shop>>;

const whisky = { ...bread, name: "Whisky 750 ml", sku: "W", base_price: 90_000, final_price: 90_000 };

/** A shop that sells bread at $5.000 and whisky at $90.000. */
async function twoProducts(given: Parameters<typeof shop> = []) {
  const here = await shop(...given);
  const dear = randomUUID();
  const made = given[2];
  await here.till.put("product", whisky, { id: dear, ...(made && { edited_at: made }) });
  // In touch since.
  await here.till.put("customer", { name: "Otra" }, made ? { edited_at: made } : {});
  return { ...here, dear };
}

/** What the owner is told of the business's sales, with the next step. */
async function told({ owner }: Shop): Promise<string[]> {
  const { data } = (await owner.get("/findings")).body;
  return data.flatMap((one: Fields) => (one.can_close ? [`${one.kind}: ${one.message}`] : []));
}
const asWhisky = "misnamed_line: Una línea dice «Whisky 750 ml», que es otro producto, y vendió «Pan».";

describe("a line that says the name of another product", () => {
  test("is told, whatever its case and whatever stands behind it, until somebody has looked", async () => {
    const here = await twoProducts();
    const beside = { cashier_id: here.luz };
    for (const description of ["Whisky 750 ml", "WHISKY  750 ML", "Whisky 750 ml · Caja x24"]) {
      const id = await sellAt(here, 5_000, { beside, line: { description } });
      expect(await told(here)).toEqual([asWhisky.replace("Whisky 750 ml", description)]);
      const { findings } = (await here.owner.get(`/devices/${here.till.deviceId}/flagged`)).body.data[0];
      expect(findings).toMatchObject([{ field: "items[0].description", expected: "Pan", kind: "misnamed_line" }]);
      expect((await here.owner.get(`/sales/${id}/findings`)).body.data).toMatchObject([{ kind: "misnamed_line" }]);
      await here.owner.post(`/findings/${(await here.owner.get("/findings")).body.data[0].id}/close`, { reason: "Sí" });
    }
  });

  test("blames nobody for other words, a former name, a variant, a pack, or a name that two products have", async () => {
    const variant = randomUUID();
    const variants = [{ id: variant, label: "Mini", sku: null, base_price: 2_000, final_price: 2_000, active: true }];
    const here = await twoProducts([{ variants }]);
    const beside = { cashier_id: here.luz };
    const sold = async (line: Fields, price = 5_000) => {
      await sellAt(here, price, { beside, line });
      return told(here);
    };
    expect(await sold({ description: "Pan" })).toEqual([]);
    expect(await sold({ description: "Pan de la casa" })).toEqual([]);
    expect(await sold({ description: "Pan · Mini", variant_id: variant }, 2_000)).toEqual([]);
    expect(await sold({ description: "Pan · Caja x24" })).toEqual([]);
    expect(await sold({ description: null })).toEqual([]);
    // Renamed since: a ticket that waited, or a quote, has the name of before.
    await here.till.put(
      "product",
      { ...bread, variants, name: "Pan tajado" },
      { id: here.productId, edited_at: now() },
    );
    expect(await sold({ description: "Pan" })).toEqual([]);
    await here.till.put("product", { ...whisky, sku: "W2", name: "Pan tajado" }, { id: randomUUID() });
    expect(await sold({ description: "Pan tajado" })).toEqual([]);
  });

  test("is told only where there are cashiers, of a counter, and of a name that it had received", async () => {
    const foreign = await twoProducts([{}, [remoteEdit]]);
    const early = await twoProducts([{}, atCounter, ago(3 * hourMs)]);
    const alone = await twoProducts();
    await service.deps.pool.query("delete from cashiers where account_id = $1", [alone.accountId]);
    const line = { description: "Whisky 750 ml" };
    await sellAt(foreign, 5_000, { line });
    await sellAt(alone, 5_000, { line });
    await sellAt(early, 5_000, { line, at: ago(2 * hourMs), beside: { cashier_id: early.luz } });
    const owed = { payment_method: "FIADO", customer_id: null, tip_amount: 9_000, total: 14_000 };
    await sellAt(alone, 5_000, { fields: owed });
    for (const here of [foreign, early, alone]) expect(await told(here)).toEqual([]);
  });
});

test("a free line of nothing that is called like a product is told; one with a price, and one of other words, are not", async () => {
  const here = await twoProducts();
  const free = { product_id: null, item_kind: "custom" };
  const acts = [{ right: "free_line", cashier_id: here.luz, authorized_by: null }];
  const give = (description: string, price: number) =>
    sellAt(here, price, { beside: { cashier_id: here.luz, acts }, line: { ...free, description } });
  await give("Ñapa", 0);
  await give("Whisky 750 ml", 60_000);
  expect(await told(here)).toEqual([]);
  await give("whisky 750 ml", 0);
  expect(await told(here)).toEqual([
    "misnamed_line: Una línea libre regaló «whisky 750 ml», que en el catálogo vale $90.000.",
  ]);
});

test("a tip of more than its sale is told; as much as the sale, and one of a register of others, are not", async () => {
  const here = await twoProducts();
  const tip = (tip_amount: number, at: Shop = here) =>
    sellAt(at, 5_000, { fields: { tip_amount, total: 5_000 + tip_amount } });
  const foreign = await shop({}, [remoteEdit]);
  await tip(5_000);
  await tip(5_001, foreign);
  const invited = { discount: 5_000, tip_amount: 2_000, total: 2_000 };
  const acts = [{ right: "discount", cashier_id: here.luz, authorized_by: null }];
  await sellAt(here, 5_000, { fields: invited, beside: { cashier_id: here.luz, acts } });
  const courtesy = { tip_amount: 2_000, total: 2_000 };
  await sellAt(here, 0, { fields: courtesy, beside: { cashier_id: here.luz, acts } });
  expect([await told(here), await told(foreign)]).toEqual([[], []]);
  const id = await tip(5_001);
  expect(await told(here)).toEqual(["large_tip: Una venta de $5.000 tiene una propina de $5.001."]);
  expect((await here.owner.get("/findings")).body.data[0]).toMatchObject({ sale_id: id, gravity: "warning" });
});

test("what is owed by nobody is told: all of it or a part, and not with a customer, nor of a register of others", async () => {
  const here = await twoProducts();
  const owing = (fields: Fields, beside: Fields = {}, at: Shop = here) =>
    sellAt(at, 5_000, { fields, beside: { cashier_id: at.luz, ...beside } });
  await owing({ payment_method: "CASH", customer_id: null });
  await owing({ payment_method: "FIADO", customer_id: randomUUID() });
  const foreign = await shop({}, [remoteEdit]);
  await owing({ payment_method: "FIADO", customer_id: null }, {}, foreign);
  expect([await told(here), await told(foreign)]).toEqual([[], []]);
  await owing({ payment_method: "FIADO", customer_id: null });
  const parts = [
    { payment_method: "CASH", amount: 3_000 },
    { payment_method: "CREDIT", amount: 2_000 },
  ];
  await owing({ payment_method: "CASH", customer_id: null }, { payments: parts });
  expect(await told(here)).toEqual([
    "nameless_credit: Quedaron debiendo $2.000 (Crédito) y la venta no dice quién.",
    "nameless_credit: Quedaron debiendo $5.000 (Fiado) y la venta no dice quién.",
  ]);
});

describe("a line that was charged with other taxes than its product's", () => {
  const issuerOf = { nit: "900373923-8", documents: "internal" } as const;
  const iva = (rate: number) => [{ code: "01", name: "IVA", rate, per_unit: null, base: 5_000, amount: 0 }];
  const taxed = async (here: Shop, line: Fields, price = 5_000, more: Fields = {}) => {
    await sellAt(here, price, { line, beside: { cashier_id: here.luz }, ...more });
    const all = await told(here);
    for (const { id } of (await here.owner.get("/findings")).body.data)
      await here.owner.post(`/findings/${id}/close`, { reason: "Ya" });
    return all.map((one) => one.replace(/^wrong_tax: /, ""));
  };

  test("is told by its class, also one that nobody knows, and by its rate", async () => {
    const here = await shop({ tax_class: "standard" });
    const asClass = (words: string) => [
      `«Pan» se cobró como «${words}», y en el catálogo es «General»: sus impuestos son otros.`,
    ];
    expect(await taxed(here, { tax_class: "passthrough", taxes: [] })).toEqual(asClass("Ingreso para terceros"));
    expect(await taxed(here, { tax_class: "excluded", taxes: [] })).toEqual(asClass("Excluido"));
    expect(await taxed(here, { tax_class: "loquesea", taxes: null })).toEqual(asClass("loquesea"));
    expect(await taxed(here, { tax_class: "standard", taxes: iva(5) })).toEqual([
      "«Pan» se cobró con IVA del 5 %, y le corresponde IVA del 19 %.",
    ]);
    expect(await taxed(here, { tax_class: "standard", taxes: [] })).toEqual([
      "«Pan» se cobró sin impuestos, y le corresponde IVA del 19 %.",
    ]);
    const id = await sellAt(here, 5_000, { line: { tax_class: "passthrough", taxes: [] } });
    const open = (await here.owner.get("/findings")).body.data.filter((one: Fields) => one.can_close);
    expect(open).toMatchObject([{ kind: "wrong_tax", sale_id: id, gravity: "error" }]);
    expect(open[0].next_step).toContain("avise a su contador");
  });

  test("is told where nobody has a PIN, and goes when the sale is cancelled", async () => {
    const here = await shop({ tax_class: "standard" });
    await service.deps.pool.query("delete from cashiers where account_id = $1", [here.accountId]);
    const line = { tax_class: "excluded", taxes: [] };
    const sale = await sellAt(here, 5_000, { line });
    expect(await told(here)).toHaveLength(1);
    const {
      object: _,
      id,
      invoices: __,
      created_at: ___,
      updated_at: ____,
      version: _____,
      ...data
    } = (await here.owner.get(`/records/sales/${sale}`)).body;
    await here.till.put("sale", { ...data, status: "cancelled" }, { id, edited_at: now() });
    expect(await told(here)).toEqual([]);
  });

  test("blames nobody for what is right, says nothing, is no product's, gives nothing, or was taken back", async () => {
    const here = await shop({ tax_class: "standard" });
    expect(await taxed(here, { tax_class: "standard", taxes: iva(19) })).toEqual([]);
    expect(await taxed(here, { tax_class: "standard", taxes: null })).toEqual([]);
    expect(await taxed(here, { tax_class: undefined, taxes: null })).toEqual([]);
    expect(await taxed(here, { tax_class: "standard", taxes: [] }, 0)).toEqual([]);
    const free = { product_id: null, item_kind: "custom", tax_class: "service_19", taxes: iva(19) };
    expect(await taxed(here, free)).toEqual([]);
    const exempt = await shop({ tax_class: "exempt" });
    expect(await taxed(exempt, { tax_class: "exempt", taxes: iva(0) })).toEqual([]);
    expect(await taxed(exempt, { tax_class: "exempt", taxes: [] })).toEqual([]);
    const foreign = await shop({ tax_class: "standard" }, [remoteEdit]);
    expect(await taxed(foreign, { tax_class: "excluded", taxes: [] })).toEqual([]);
  });

  test("knows a variant's, a bag's, and those of a restaurant and of somebody who charges none", async () => {
    const variant = randomUUID();
    const variants = [{ id: variant, label: "Mini", sku: null, base_price: 2_000, final_price: 2_000, active: true }];
    const here = await shop({ tax_class: "standard", variants });
    const bags = await shop({ tax_class: "bag" });
    const perBag = { code: "22", name: "INC bolsas", rate: null, per_unit: 70, base: 1, amount: 70 };
    expect(await taxed(here, { variant_id: variant, tax_class: "standard", taxes: iva(19) }, 2_000)).toEqual([]);
    expect(await taxed(bags, { tax_class: "bag", taxes: [...iva(19), perBag] })).toEqual([]);
    expect(await taxed(bags, { tax_class: "bag", taxes: [perBag] }, 0)).toEqual([]);
    expect(await taxed(bags, { tax_class: "bag", taxes: [perBag] })).toEqual([
      "«Pan» se cobró con INC de bolsas, y le corresponde INC de bolsas e IVA del 19 %.",
    ]);
    const inc = [{ ...iva(8)[0], code: "04", name: "INC" }];
    for (const [regime, right, wrong] of [
      ["inc", inc, iva(19)],
      ["none", [], iva(19)],
    ] as const) {
      const other = await shop({ tax_class: "standard" });
      await setProfile(service.deps, other.accountId, { ...issuerOf, regime });
      expect(await taxed(other, { tax_class: "standard", taxes: right })).toEqual([]);
      expect(await taxed(other, { tax_class: "standard", taxes: wrong })).toHaveLength(1);
    }
  });

  test("blames no register that did not know it yet, and no ticket or quote of before", async () => {
    const here = await shop({ tax_class: "excluded" });
    const line = { tax_class: "excluded", taxes: [] };
    await here.till.put("product", { ...bread, tax_class: "standard" }, { id: here.productId, edited_at: now() });
    await here.till.put("customer", { name: "Otra" });
    expect(await taxed(here, line)).toEqual([]);
    const changed = (days: number) =>
      service.deps.pool.query(
        `update products set revisions = jsonb_set(revisions::jsonb, '{tax_class,1}', to_jsonb($2::bigint))::json where account_id = $1`,
        [here.accountId, Date.now() - days * 24 * hourMs],
      );
    await changed(2);
    expect(await taxed(here, line)).toHaveLength(1);
  });

  test("knows that the business charges otherwise only since its registers were told", async () => {
    const here = await shop({ tax_class: "standard" });
    await here.till.pull();
    await setProfile(service.deps, here.accountId, { ...issuerOf, regime: "none" });
    await here.till.put("customer", { name: "Otra" });
    expect(await taxed(here, { tax_class: "standard", taxes: iva(19) })).toEqual([]);
    await here.till.pull();
    expect(await taxed(here, { tax_class: "standard", taxes: iva(19) })).toHaveLength(1);
  });
});

test("what is odd about a sale goes when its register puts it right, or cancels it", async () => {
  const here = await twoProducts();
  const beside = { cashier_id: here.luz };
  const sale = await sellAt(here, 5_000, { beside, line: { description: "Whisky 750 ml" } });
  expect(await told(here)).toEqual([asWhisky]);
  const stored = (await here.owner.get(`/records/sales/${sale}`)).body;
  const { object: _, id, invoices: __, created_at: ___, updated_at: ____, version: _____, ...data } = stored;
  const again = (description: string) =>
    here.till.put("sale", { ...data, items: [{ ...data.items[0], description }] }, { id, edited_at: now(), ...beside });
  await again("Pan");
  expect(await told(here)).toEqual([]);
  await again("Whisky 750 ml");
  expect(await told(here)).toEqual([asWhisky]);
  await here.till.put("sale", { ...data, status: "cancelled" }, { id, edited_at: now(), ...beside });
  expect(await told(here)).toEqual([]);
});
