import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { createCashier } from "../../src/business/counter/cashiers.ts";
import { allRights } from "../../src/business/counter/rights.ts";
import { plainSale } from "../support/fiscal.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { expectSoundPage } from "../support/page-checks.ts";
import { openPortal, type Portal } from "../support/portal.ts";
import { enrol, remoteEdit, type Till, upload } from "../support/register.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const owner = shared(() => visit(browser, service));
const capabilities = [remoteEdit, "counter_act.1"];
const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString();

interface Shop {
  till: Till;
  ana: string;
  luz: string;
}

async function shopOf(accountId: string): Promise<Shop> {
  const person = async (name: string, permissions: typeof allRights) =>
    (await createCashier(service.deps, accountId, { name, pin: "4821", permissions }, theOperator))!.id;
  const [ana, luz] = [await person("Ana", []), await person("Luz", allRights)];
  return { ana, luz, till: await enrol(service, accountId, { name: "Caja de la puerta", capabilities }) };
}

const later = () => new Date(Date.now() + 2_000).toISOString();

describe("the owner's list of acts", () => {
  let portal: Portal;
  let shop: Shop;
  beforeAll(async () => {
    portal = await openPortal(service);
    shop = await shopOf(portal.accountId);
  });

  test("is empty at first, pages newest first, and filters by kind, day and permission", async () => {
    expect((await portal.get("/counter-acts")).body).toMatchObject({ data: [], has_more: false, next_cursor: null });
    const { till, ana, luz } = shop;
    const acts = Array.from({ length: 30 }, (_, i) => ({
      ...{ type: "counter_act", id: randomUUID() },
      data: { kind: i % 2 ? "line_removed" : "drawer_opened", occurred_at: at(i), cashier_id: luz, amount: i },
    }));
    await till.push(acts);
    const first = (await portal.get("/counter-acts?limit=20")).body;
    const rest = (await portal.get(`/counter-acts?limit=20&starting_after=${first.next_cursor}`)).body;
    const ids = [...first.data, ...rest.data].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(acts.map(({ id }) => id));
    expect(first.data[0]).toMatchObject({ register: "Caja de la puerta", cashier: "Luz", authorized_by: null });
    const removed = (await portal.get("/counter-acts?kind=line_removed&limit=100")).body.data;
    expect(removed).toHaveLength(15);
    const recent = (await portal.get(`/counter-acts?since=${at(9.5)}&limit=100`)).body.data;
    expect(recent).toHaveLength(10);
    await till.put("counter_act", { kind: "drawer_opened", occurred_at: later(), cashier_id: ana });
    const unallowed = (await portal.get("/counter-acts?only=unauthorized")).body.data;
    expect(unallowed).toMatchObject([{ kind: "drawer_opened", cashier: "Ana", is_allowed: false }]);
    expect((await portal.get("/counter-acts?kind=dance")).body.error.param).toBe("kind");
    expect((await portal.get("/counter-acts?starting_after=x")).body.error.code).toBe("INVALID_CURSOR");
  });

  test("belongs to one account, and needs a session", async () => {
    const stranger = await openPortal(service);
    expect((await stranger.get("/counter-acts")).body.data).toEqual([]);
    expect((await fetch(`${service.baseUrl}/portal/api/counter-acts`)).status).toBe(401);
  });

  test("is told in Hoy while it is new: what nobody was allowed to do, and wrong PINs", async () => {
    const { till, luz } = shop;
    await till.put("counter_act", { kind: "wrong_pins", occurred_at: at(0), cashier_id: luz, amount: 10 });
    const kinds = (await portal.get("/attention")).body.data.map(({ kind, count }: { kind: string; count: number }) => [
      ...[kind, count],
    ]);
    expect(kinds).toEqual(expect.arrayContaining([...[["acts_unauthorized", 1]], ...[["wrong_pins", 1]]]));
  });

  test("a sale's page has its acts, and says in the finding what nobody allowed", async () => {
    const { till, ana, luz } = shop;
    const sale = plainSale(later(), 10_000, { discount: 500, total: 9_500 });
    const { id } = sale;
    const beside = { cashier_id: ana, acts: [{ right: "discount", cashier_id: ana, authorized_by: null }] } as object;
    await till.put("sale", upload(sale), { id, ...beside });
    const act = { kind: "sale_cancelled", occurred_at: later(), cashier_id: ana, authorized_by: luz, sale_id: id };
    await till.put("counter_act", act);
    const { acts, findings } = (await portal.get(`/sales/${id}`)).body;
    expect(acts.map(({ kind, is_allowed }: { kind: string; is_allowed: boolean }) => [kind, is_allowed])).toEqual(
      expect.arrayContaining([
        ["discount", false],
        ["sale_cancelled", true],
      ]),
    );
    expect(findings.find(({ kind }: { kind: string }) => kind === "unauthorized")).toMatchObject({
      message: "Ana no podía hacer descuentos y nadie lo autorizó.",
      can_close: false,
    });
  });
});

describe("the page", () => {
  beforeAll(async () => {
    const { accountId, email } = await openAccount(service);
    await owner.signIn(email);
    await owner.goto("/actos");
    await owner.sees("Todavía no hay actos");
    const { till, ana, luz } = await shopOf(accountId);
    const detail = "2 × Pan tajado con un nombre larguísimo que no cabe en ningún teléfono, $6.800; ".repeat(5);
    const about = { cashier_id: ana, label: "Mesa 4", amount: 13_600, detail };
    await till.push([
      { type: "counter_act", data: { kind: "line_removed", occurred_at: at(1), authorized_by: luz, ...about } },
      { type: "counter_act", data: { kind: "ticket_dropped", occurred_at: later(), kept: true, ...about } },
      { type: "counter_act", data: { kind: "wrong_pins", occurred_at: at(3), cashier_id: luz, amount: 12 } },
    ]);
  });

  test.each(["/actos", "/actos?tipo=other", "/ajustes/mostrador"])("%s is sound on a phone and a desk", (path) =>
    expectSoundPage(owner, path),
  );

  test("shows who, who allowed it, what and where, and Hoy leads to it", async () => {
    await owner.goto("/");
    await owner.link("Ver quién y qué").click();
    await owner.sees("Ana, sin permiso");
    expect(await owner.page.getByText("Ana, autorizó Luz").count()).toBe(0);
    await owner.button("Quitar los filtros").first().click();
    await owner.sees("Ana, autorizó Luz");
    await owner.link("Caja de la puerta").first().waitFor();
    await owner.page.getByRole("cell", { name: "12", exact: true }).waitFor();
  });

  test("an owner takes a right away and sees what is missing", async () => {
    await owner.goto("/ajustes/mostrador");
    const row = owner.page.getByRole("row", { name: /Luz/ });
    await row.getByText("Todo, y autorizar a los demás").waitFor();
    await row.getByRole("button", { name: "Editar" }).click();
    await owner.page.getByLabel("Cambiar precios").uncheck();
    await owner.field(/^PIN nuevo/).fill("12");
    await owner.sees("El PIN tiene de 4 a 8 cifras, sin letras.");
    expect(await owner.button("Guardar").last().isDisabled()).toBe(true);
    await owner.field(/^PIN nuevo/).fill("");
    await owner.page.getByRole("dialog").getByRole("button", { name: "Guardar" }).click();
    await row.getByText("Todo, menos: Cambiar precios").waitFor();
  });
});
