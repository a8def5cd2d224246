import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { shared, sharedService } from "../../support/fixtures.ts";
import { expectSoundPage } from "../../support/page-checks.ts";
import { openPortal } from "../../support/portal.ts";
import { refusal } from "../../support/refusal.ts";
import { openAccount, sharedBrowser, visit } from "../../support/visitor.ts";

const service = sharedService();
const keyed = () => ({ "idempotency-key": randomUUID() });
const csv = (text: string) => ({ method: "POST", headers: { "content-type": "application/octet-stream" }, body: text });

describe("an owner whose account is from before bodegas were born with it", () => {
  test("finds Principal in the list, which is made once", async () => {
    const owner = await openPortal(service);
    const lists = await Promise.all([1, 2, 3].map(() => owner.get("/warehouses")));
    for (const { body } of lists) expect(body.data).toEqual(lists[0]!.body.data);
    expect(lists[0]!.body.data).toMatchObject([{ name: "Principal", is_default: true }]);
    const { data } = (await owner.get("/warehouses/all")).body;
    expect(data).toEqual([{ ...lists[0]!.body.data[0], active: true, products: 0 }]);
  });

  test("counts and imports at once", async () => {
    const owner = await openPortal(service);
    const made = await owner.post("/products", { name: "Pan", base_price: 500 }, keyed());
    const line = { product_id: made.body.id, counted: 7, expected: 0 };
    const counted = await owner.post("/stock-counts", { reason: "Primer conteo", lines: [line] }, keyed());
    expect([counted.status, counted.body.adjusted]).toEqual([201, 1]);
    const other = await openPortal(service);
    const { headers, ...file } = csv("Nombre;Precio;Existencias\nPan;500;3\nLeche;4200;4\n");
    const address = `${service.baseUrl}/portal/api/product-imports?file_name=lista.csv`;
    const read = await fetch(address, { ...file, headers: { ...headers, cookie: other.cookie } });
    const { import: planned, errors } = (await read.json()) as { import: { id: string }; errors: unknown[] };
    expect(errors).toEqual([]);
    const applied = await other.post(`/product-imports/${planned.id}/apply`);
    expect(applied.body).toMatchObject({ created_count: 2, failures: [] });
    for (const { get } of [owner, other]) expect((await get("/warehouses")).body.data).toHaveLength(1);
    expect((await other.get("/warehouses/all")).body.data).toMatchObject([{ name: "Principal", products: 2 }]);
  });
});

describe("bodegas in the portal", () => {
  test("are made once per key and changed by their own owner alone", async () => {
    const [owner, stranger] = [await openPortal(service), await openPortal(service)];
    await owner.get("/warehouses");
    const once = keyed();
    const made = await owner.post("/warehouses", { name: "Sur" }, once);
    expect((await owner.post("/warehouses", { name: "Sur" }, once)).body.id).toBe(made.body.id);
    const path = `/warehouses/${made.body.id}`;
    expect(refusal(await stranger.patch(path, { name: "Mía" }))).toEqual([404, "NOT_FOUND", "id"]);
    expect((await owner.patch(path, { name: "Norte", is_default: true })).body).toMatchObject({ name: "Norte" });
    const { data } = (await owner.get("/warehouses")).body;
    expect(data.map((one: { name: string; is_default: boolean }) => [one.name, one.is_default])).toEqual([
      ["Norte", true],
      ["Principal", false],
    ]);
  });

  test("once all are closed stay closed, and nothing speaks of fields", async () => {
    const owner = await openPortal(service);
    const [{ id }] = (await owner.get("/warehouses")).body.data;
    expect((await owner.patch(`/warehouses/${id}`, { active: false })).status).toBe(200);
    expect((await owner.get("/warehouses")).body.data).toEqual([]);
    const product = { name: "Pan", base_price: 500, initial_stock: 3 };
    const refused = await owner.post("/products", product, keyed());
    expect(refusal(refused)).toEqual([409, "NO_WAREHOUSE", "warehouse_id"]);
    expect(refused.body.error.message).toBe(
      "Todas las bodegas de la cuenta están cerradas. Cree otra o abra una de ellas: en el portal, en Ajustes → Bodegas, o con POST /warehouses o PATCH /warehouses/{id}.",
    );
  });
});

describe("the page", () => {
  const browser = sharedBrowser();
  const owner = shared(() => visit(browser, service));
  const account = shared(() => openAccount(service));

  test("is sound on a phone, a tablet and a desk, and says what to do when all are closed", async () => {
    await owner.signIn(account.email);
    await owner.goto("/ajustes/bodegas");
    await owner.button("Nueva bodega").click();
    await owner.field(/^Nombre/).fill("Bodega de la calle de atrás, segundo piso");
    await owner.button("Crear bodega").click();
    await owner.page.getByRole("row", { name: /segundo piso/ }).waitFor();
    await expectSoundPage(owner, "/ajustes/bodegas");
    for (const name of [/segundo piso/, /Principal/]) {
      await owner.page.getByRole("row", { name }).getByRole("button", { name: "Cerrar" }).click();
      await owner.button("Cerrar la bodega").click();
      await owner.page.getByRole("row", { name }).getByText("Cerrada").waitFor();
    }
    await owner.sees("No hay bodegas abiertas");
    await expectSoundPage(owner, "/ajustes/bodegas");
    await owner.page
      .getByRole("row", { name: /Principal/ })
      .getByRole("button", { name: "Abrir" })
      .click();
    await owner.page.getByRole("row", { name: /Principal.*Predeterminada/ }).waitFor();
    expect(owner.complaints).toEqual([]);
  });

  test("a name that is too long is told and not cut, and the longest breaks within its table", async () => {
    await owner.goto("/ajustes/bodegas");
    await owner.button("Nueva bodega").click();
    const name = owner.field(/^Nombre/);
    await name.fill("B".repeat(300));
    await owner.sees("Caben 120 caracteres y escribió 300. Acórtelo.");
    expect(await name.inputValue()).toBe("B".repeat(300));
    await owner.button("Crear bodega").click();
    await owner.sees("Caben 120 caracteres y escribió 300. Acórtelo.");
    await name.fill("B".repeat(120));
    await owner.button("Crear bodega").click();
    const row = owner.page.getByRole("row", { name: /BBB/ });
    await row.waitFor();
    await expectSoundPage(owner, "/ajustes/bodegas");
    await row.getByRole("button", { name: "Cerrar" }).click();
    const dialog = owner.page.getByRole("dialog");
    await dialog.waitFor();
    expect(await dialog.evaluate((node) => node.scrollWidth <= node.clientWidth)).toBe(true);
  });
});
