import fc from "fast-check";
import { expect, test } from "vitest";
import { day, hour, minute } from "../../src/lib/clock.ts";
import { perTest, shopPerTest, verifiedService } from "../support/fixtures.ts";
import { customerBody, productBody, saleBody, variantBody } from "../support/records.ts";
import { enrol, type Till, upload } from "../support/register.ts";

const service = verifiedService();
const shop = shopPerTest(service);
const first = perTest(() => enrol(service, shop.accountId));
const second = perTest(() => enrol(service, shop.accountId));

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const newCustomer = () => upload(customerBody(ago(0), { name: "Ana", phone: "300" }));
const seqOf = async (till: Till, id: string): Promise<number> =>
  (await till.pull()).body.changes.find((change: { id: string }) => change.id === id).seq;
const read = async (id: string) => (await shop.api.get(`/customers/${id}`)).body;

test("changes of two registers to different fields are both kept", async () => {
  const customer = newCustomer();
  await first.put("customer", customer, { edited_at: ago(day) });
  const base_seq = await seqOf(second, customer.id);
  await first.put(
    "customer",
    { name: "Ana María" },
    { id: customer.id, base_seq, changed: ["name"], edited_at: ago(hour) },
  );
  const result = await second.put(
    "customer",
    { ...customer, phone: "301" },
    { id: customer.id, base_seq, changed: ["phone"], edited_at: ago(2 * hour) },
  );
  expect(result).toMatchObject({ status: "applied" });
  expect(await read(customer.id)).toMatchObject({ name: "Ana María", phone: "301" });
});

test("of two edits of one field the later wins, and the other is kept as a conflict", async () => {
  const customer = newCustomer();
  await first.put("customer", customer, { edited_at: ago(day) });
  const base_seq = await seqOf(second, customer.id);
  const edit = (till: Till, name: string, edited_at: string) =>
    till.put("customer", { name }, { id: customer.id, base_seq, changed: ["name"], edited_at });
  await first.put("customer", { email: "a@b.co" }, { id: customer.id, base_seq, changed: ["email"] });
  expect(await edit(second, "Anita", ago(hour))).toMatchObject({ status: "applied" });
  expect(await edit(first, "Ana M.", ago(2 * hour))).toMatchObject({
    status: "merged",
    record: { name: "Anita", email: "a@b.co" },
  });
  const { rows } = await service.deps.pool.query("select field, kept, lost from conflicts where account_id = $1", [
    shop.accountId,
  ]);
  expect(rows).toEqual([{ field: "name", kept: '"Anita"', lost: '"Ana M."' }]);
});

test("a base_seq beyond the account's own is ignored, and the records that came with it are accepted", async () => {
  const customer = newCustomer();
  await first.put("customer", customer, { edited_at: ago(day) });
  const seen = await seqOf(second, customer.id);
  await first.put("customer", { name: "Ana 1" }, { id: customer.id, changed: ["name"], edited_at: ago(hour) });
  const sale = saleBody(new Date().toISOString());
  const edit = (name: string, edited_at: string, base_seq: number) => ({
    ...{ type: "customer", id: customer.id, base_seq, edited_at },
    ...{ changed: ["name"], data: { name } },
  });
  const { body } = await second.push([
    edit("Ana 2", ago(2 * hour), seen + 100),
    { type: "sale", id: sale.id, data: upload(sale) },
    edit("Ana 3", ago(minute), Number.MAX_SAFE_INTEGER),
  ]);
  expect(body.results).toMatchObject([
    { status: "merged", code: "BASE_SEQ_AHEAD", record: { name: "Ana 1" } },
    { status: "applied", code: null },
    { status: "applied", code: "BASE_SEQ_AHEAD" },
  ]);
  expect(await read(customer.id)).toMatchObject({ name: "Ana 3" });
  // A base_seq equal to the account's last change is plausible.
  const last = await seqOf(first, customer.id);
  expect((await first.push([edit("Ana 4", ago(day), last)])).body.results).toMatchObject([
    { status: "applied", code: null },
  ]);
});

test("an edit made after seeing the other one wins, even if its clock is behind", async () => {
  const customer = newCustomer();
  await first.put("customer", customer);
  await first.put("customer", { name: "Ana 1" }, { id: customer.id, changed: ["name"] });
  const base_seq = await seqOf(second, customer.id);
  await second.put(
    "customer",
    { name: "Ana 2" },
    { id: customer.id, base_seq, changed: ["name"], edited_at: ago(day) },
  );
  expect((await read(customer.id)).name).toBe("Ana 2");
});

test("a register's second edit wins, even if it has not pulled the first and its clock went back", async () => {
  const customer = newCustomer();
  await first.put("customer", customer);
  await first.put("customer", { name: "Ana 1" }, { id: customer.id, base_seq: 0, changed: ["name"] });
  await first.put(
    "customer",
    { name: "Ana 2" },
    { id: customer.id, base_seq: 0, changed: ["name"], edited_at: ago(day) },
  );
  expect((await read(customer.id)).name).toBe("Ana 2");
});

test("a register does not win because its clock is days ahead", async () => {
  const business = await service.business();
  const ahead = await enrol(service, business.accountId, { clock: () => new Date(Date.now() + 3 * day) });
  const right = await enrol(service, business.accountId);
  const customer = newCustomer();
  await right.put("customer", customer, { edited_at: ago(day) });
  const base_seq = await seqOf(ahead, customer.id);
  const options = { id: customer.id, base_seq, changed: ["name"] };
  await right.put("customer", { name: "Por la caja correcta" }, { ...options, edited_at: ago(hour) });
  // Two hours ago in true time, three days from now by its own clock.
  const edited_at = new Date(Date.now() + 3 * day - 2 * hour).toISOString();
  expect(await ahead.put("customer", { name: "Por la adelantada" }, { ...options, edited_at })).toMatchObject({
    status: "merged",
  });
});

test("an edit through the API is merged like a register's, at its own instant", async () => {
  const customer = newCustomer();
  await first.put("customer", customer, { edited_at: ago(day) });
  const base_seq = await seqOf(first, customer.id);
  await shop.api.patch(`/customers/${customer.id}`, { name: "Por la API" });
  const late = await first.put(
    "customer",
    { name: "Antes", phone: "301" },
    {
      id: customer.id,
      base_seq,
      changed: ["name", "phone"],
      edited_at: ago(minute),
    },
  );
  expect(late).toMatchObject({ status: "merged", record: { name: "Por la API", phone: "301" } });
});

test("a price is merged together with its discount, and each variant's fields separately", async () => {
  const product = upload(productBody(ago(0)));
  const variants = ["S", "M"].map((label) => upload(variantBody(ago(0), product.id, { label })));
  await first.put("product", { ...product, variants }, { edited_at: ago(day) });
  const base_seq = await seqOf(second, product.id);
  const options = { id: product.id, base_seq };
  await first.put("product", { base_price: 4000 }, { ...options, changed: ["base_price"], edited_at: ago(2 * hour) });
  await second.put(
    "product",
    { percent_discount: 10, base_price: 3200, final_price: 2880 },
    {
      ...options,
      changed: ["percent_discount"],
      edited_at: ago(hour),
    },
  );
  const added = upload(variantBody(ago(0), product.id, { label: "XL" }));
  await first.put(
    "product",
    { variants: [{ ...variants[0], sku: "S-1" }, variants[1], added] },
    { ...options, changed: ["variants"] },
  );
  await second.put(
    "product",
    { variants: [{ ...variants[0], label: "Pequeña" }, variants[1]] },
    { ...options, changed: ["variants"] },
  );
  const body = (await shop.api.get(`/products/${product.id}`)).body;
  expect(body).toMatchObject({ base_price: 3200, final_price: 2880, percent_discount: 10, has_variants: true });
  expect(body.variants).toMatchObject([{ label: "Pequeña", sku: "S-1" }, { label: "M" }, { label: "XL" }]);
});

test("the same concurrent edits give the same customer, whatever the order and batches they arrive in", async () => {
  const edits = ["name", "phone", "email", "name", "phone", "name"].map((field, i) => ({
    field,
    device: i % 3,
    edited_at: ago((10 - ((i * 7) % 6)) * minute),
    value: field === "email" ? `c${i}@tienda.co` : `valor ${i}`,
  }));
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(
        [0, 0, 1, 1, 2, 2].map((device, i) => ({ device, i })),
        { minLength: 6 },
      ),
      fc.boolean(),
      async (order, together) => {
        const business = await service.business();
        const tills = await Promise.all([0, 1, 2].map(() => enrol(service, business.accountId)));
        const customer = newCustomer();
        await tills[0]!.put("customer", customer, { edited_at: ago(day) });
        const base_seq = await seqOf(tills[1]!, customer.id);
        const queues = [0, 1, 2].map((device) => edits.filter((edit) => edit.device === device));
        const record = ({ field, value, edited_at }: (typeof edits)[number]) => ({
          type: "customer",
          id: customer.id,
          base_seq,
          changed: [field],
          edited_at,
          data: { [field]: value },
        });
        for (const { device } of order) {
          const next = queues[device]!.splice(0, together ? 2 : 1);
          if (next.length > 0) await tills[device]!.push(next.map(record));
        }
        const { name, phone, email } = (await business.api.get(`/customers/${customer.id}`)).body;
        outcomes.add(JSON.stringify([name, phone, email]));
      },
    ),
    { numRuns: 15 },
  );
  expect(outcomes.size).toBe(1);
});
