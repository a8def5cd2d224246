import { afterEach, describe, expect, test } from "vitest";
import { verify } from "../../src/operations/verify/verify.ts";
import { runErasures } from "../../src/privacy/erase/run.ts";
import { filesIn } from "../support/archive.ts";
import { eventually } from "../support/eventually.ts";
import { perTest } from "../support/fixtures.ts";
import { grepDatabase } from "../support/grep-database.ts";
import { openPortal, type Portal } from "../support/portal.ts";
import { startService } from "../support/service.ts";
import { meetZoraida, tracesOfZoraida, zoraida } from "../support/zoraida.ts";

// Each in a database of its own, where whatever is found of her was left by it.
const service = perTest(() => startService());
const owner: Portal = perTest(() => openPortal(service));
afterEach(async () => expect((await verify(service.deps.pool)).problems).toEqual([]));

/** The log of requests is written a second later. */
async function ended(): Promise<void> {
  await eventually(async () => (await runErasures(service.deps, { settleMs: 2_500 })) > 0);
}
const found = () => grepDatabase(service.deps.pool, tracesOfZoraida);
const erase = (person: string) => owner.confirmed("/personal-data/erasures", { person });

describe("what is held about a person", () => {
  test("is one archive, by her document or her mail, and its download is told without her name", async () => {
    const { customerId } = await meetZoraida(service, owner.business);
    for (const wanted of ["1098765432", "ZORAIDA.quintanilla@correo.example"]) {
      const { status, headers, bytes } = await owner.download(
        `/personal-data/export.zip?person=${encodeURIComponent(wanted)}`,
      );
      expect([status, headers.get("content-type")]).toEqual([200, "application/zip"]);
      const files = filesIn(bytes);
      const data = JSON.parse(files["datos.json"]!);
      expect(data.cliente).toMatchObject([{ id: customerId, email: zoraida.email }]);
      expect(data.ventas).toHaveLength(1);
      expect(data.ventas_con_tiquete).toHaveLength(1);
      expect(data.cotizaciones).toHaveLength(1);
      expect(data.tiquetes_por_correo).toHaveLength(1);
      expect(data.correos).toHaveLength(1);
      const elsewhere = new Set(data.otras_menciones.map(({ donde }: { donde: string }) => donde));
      expect([...elsewhere]).toEqual(
        expect.arrayContaining([
          "Eventos",
          "Movimientos de inventario",
          "Registros apartados",
          "Ediciones que chocaron",
        ]),
      );
      expect(files["resumen.txt"]).toContain("- Ventas: 1 (ventas)");
    }
    const { data: entries } = (await owner.get("/audit-log")).body;
    const told = entries.filter(({ action }: { action: string }) => action === "person.export");
    expect(told.map(({ details }: { details: object }) => details)).toEqual(
      Array(2).fill({ customer_ids: [customerId] }),
    );
  });

  test("is nothing of another business's", async () => {
    await meetZoraida(service, owner.business);
    const stranger = await openPortal(service);
    expect((await stranger.get("/personal-data?person=1098765432")).body).toEqual({ customers: [], mailed_tickets: 0 });
    const asked = await stranger.post("/personal-data/erasures", { person: "1098765432" });
    expect([asked.status, asked.body.error.param]).toEqual([404, "person"]);
  });
});

describe("erasing a person", () => {
  test("leaves her in no table, event, log or mail", async () => {
    const { customerId, saleIds } = await meetZoraida(service, owner.business);
    expect((await found()).length).toBeGreaterThan(14);
    const confirmed = await erase("1098765432");
    expect(confirmed.status).toBe(201);
    await ended();
    expect(await found()).toEqual([]);
    const { body } = await owner.business.api.get(`/customers/${customerId}?include_deleted=true`);
    expect(body).toMatchObject({ name: "Cliente borrado", email: null, document_number: null, phone: null });
    expect([typeof body.deleted_at, typeof body.erased_at, body.metadata]).toEqual(["string", "string", undefined]);
    const sale = (await owner.business.api.get(`/sales/${saleIds[0]}`)).body;
    expect(sale).toMatchObject({ customer_id: customerId, notes: null, table_label: null, total: 6400 });
    const events = (await owner.business.api.get("/events?order=asc&limit=100")).body.data;
    const told = events.filter(({ data }: { data: { object: { id: string } } }) => data.object.id === customerId);
    expect(told.slice(-2)).toMatchObject([
      { type: "customer.updated", data: { object: { name: "Cliente borrado" } } },
      { type: "customer.deleted", data: { object: { name: "Cliente borrado" } } },
    ]);
    const [erasure] = (await owner.get("/personal-data/erasures")).body.data;
    expect([erasure.id, typeof erasure.finished_at]).toEqual([confirmed.body.erasure_id, "string"]);
  });

  test("leaves her in nothing that was logged of a request: path, query, headers, user agent, idempotency key", async () => {
    const { api } = owner.business;
    const hers = { name: "Casilda", last_name: "Quintanarez", document_number: "1034998877" };
    const once = { "idempotency-key": "Quintanarez-1034998877" };
    expect((await api.post("/customers", hers, once)).status).toBe(201);
    const traces = ["Quintanarez", "1034998877", "Casilda%20Quintanarez", "Casilda Quintanarez"];
    for (const trace of traces) {
      const coded = encodeURIComponent(trace);
      await api.get(`/customers/${coded}`);
      await api.get(`/customers?q=${coded}`);
      for (const header of ["user-agent", "x-cliente", "referer", "idempotency-key"])
        await api.get("/customers", { [header]: header === "referer" ? `https://tienda.example/${coded}` : trace });
      await api.post("/customers", {}, { "idempotency-key": trace });
    }
    await api.get("/customers", { "x-quintanarez": "1" });
    await api.get("/customers?q=otra");
    const logged = () => grepDatabase(service.deps.pool, ["quintanarez", "1034998877", "casilda"]);
    const places = ["request_log.path", "request_log.query", "request_log.request_headers"];
    await eventually(async () => new Set(await logged()).isSupersetOf(new Set(places)));
    await erase("1034998877");
    await ended();
    expect(await logged()).toEqual([]);
    const { rows } = await service.deps.pool.query(
      "select path, query, request_headers from request_log where query = 'q=otra' or query is null and path = '/v1/customers'",
    );
    expect(rows.some(({ query }) => query === "q=otra")).toBe(true);
    for (const { request_headers } of rows) expect(JSON.parse(request_headers)).toHaveProperty("host");
  });

  test("by a mail that no customer has takes the tickets and mails that went there", async () => {
    const { customerId } = await meetZoraida(service, owner.business);
    await owner.business.api.patch(`/customers/${customerId}`, { email: "otro@correo.example" });
    expect((await owner.get(`/personal-data?person=${zoraida.email}`)).body).toMatchObject({ mailed_tickets: 1 });
    await erase(zoraida.email);
    await ended();
    expect(await grepDatabase(service.deps.pool, [zoraida.email])).toEqual([]);
  });

  test("asked for twice, or interrupted anywhere, ends the same", async () => {
    await meetZoraida(service, owner.business);
    await erase("1098765432");
    // Each statement of the database fails once in a while: what is done stays, what is left goes on.
    let isOver = false;
    for (let tries = 0; tries < 120 && !isOver; tries++) {
      let left = tries;
      const { pool } = service.deps;
      const query = pool.query.bind(pool);
      const failing = Object.assign(Object.create(pool) as typeof pool, {
        query: (...args: Parameters<typeof query>) => {
          if (left-- === 0) throw new Error("interrupted");
          return query(...args);
        },
      });
      const done = await runErasures({ ...service.deps, pool: failing }, { settleMs: 2_500 }).catch(() => 0);
      await pool.query("update erasures set leased_until = null");
      isOver = done === 1;
    }
    if (!isOver) await ended();
    expect(await found()).toEqual([]);
    const { rows } = await service.deps.pool.query(
      "select count(*)::int as open from erasures where finished_at is null",
    );
    expect(rows[0].open).toBe(0);
    expect((await owner.post("/personal-data/erasures", { person: "1098765432" })).status).toBe(404);
  });

  test("is not undone by a register that still had her to upload", async () => {
    const { customerId, till } = await meetZoraida(service, owner.business);
    await erase("1098765432");
    await ended();
    const late = { ...zoraida, contact_channel: "store" };
    const { body } = await till.push([{ type: "customer", id: customerId, base_seq: 0, data: late }]);
    expect(body.results[0]).toMatchObject({ status: "merged", record: { name: "Cliente borrado" } });
    expect(await found()).toEqual([]);
  });

  test("needs the owner's code, and the mails about it do not name her", async () => {
    await meetZoraida(service, owner.business);
    const asked = await owner.post("/personal-data/erasures", { person: "1098765432" });
    expect(asked.status).toBe(202);
    const wrong = await owner.post(`/confirmations/${asked.body.confirmation_id}`, { code: "000000" });
    expect(wrong.body.error.code).toBe("CODE_INCORRECT");
    expect(await runErasures(service.deps)).toBe(0);
    expect((await found()).length).toBeGreaterThan(14);
    const { rows } = await service.deps.pool.query(
      "select subject || body_text || body_html as text from mails where recipient = $1",
      [owner.email],
    );
    for (const { text } of rows) for (const trace of tracesOfZoraida) expect(text.toLowerCase()).not.toContain(trace);
  });
});
