import fastify from "fastify";
import readWorkbook from "read-excel-file/node";
import { beforeAll, expect, test } from "vitest";
import { handleErrors } from "../../src/api/http/error-handler.ts";
import { serveTable } from "../../src/api/portal/tables/send-table.ts";
import { customers } from "../../src/business/customers/resource.ts";
import { sales } from "../../src/business/sales/resource.ts";
import { NoQuery } from "../../src/engine/resources/fields.ts";
import { eventually } from "../support/eventually.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { call, openPortal, type Portal } from "../support/portal.ts";
import { customerBody, saleBody, store } from "../support/records.ts";

const service = sharedService();
const owner: Portal = shared(() => openPortal(service));
const stranger: Portal = shared(() => openPortal(service));
/** More than two pages. */
const many = 1_200;

beforeAll(async () => {
  const { deps } = service;
  await store(deps, owner.accountId, customers, (at) => [
    { body: customerBody(at, { name: "=cmd|' /C calc'!A0", phone: "+57 300 123 4567", document_number: "0012" }) },
    { body: customerBody(at, { name: "José Ñ; Pérez" }) },
  ]);
  const start = Date.parse("2026-11-09T12:00:00Z");
  await store(deps, owner.accountId, sales, (at) =>
    Array.from({ length: many }, (_, i) => ({
      body: saleBody(at, {
        occurred_at: new Date(start + i * 1000).toISOString(),
        total: 1_000 + i,
      }),
    })),
  );
});

const linesOf = (text: string) =>
  text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split("\r\n");

test("a table is a file for Colombian Excel: headings in Spanish, semicolons, no formula that runs", async () => {
  const response = await owner.download("/tables/customers.csv");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="Clientes \d{4}-\d\d-\d\d\.csv"/);
  const { bytes } = response;
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  const lines = linesOf(bytes.toString("utf8"));
  expect(lines[0]).toMatch(/^Nombre;Apellido;Tipo de documento;/);
  expect(lines.toSorted()).toContainEqual(expect.stringMatching(/^'=cmd\|' \/C calc'!A0;;CC;0012;Natural;;'\+57 300/));
  expect(lines.toSorted()).toContainEqual(expect.stringMatching(/^"José Ñ; Pérez";/));
});

test("each file that says who the customers are is in Registro, the others are not", async () => {
  const exports = async () =>
    (await owner.get("/audit-log?action=customers_file.export")).body.data.map(
      ({ details }: { details: { name: string; format: string } }) => `${details.name} ${details.format}`,
    ) as string[];
  const before = (await exports()).length;
  for (const path of ["customers.csv", "sales.xlsx", "products.csv"])
    expect((await owner.download(`/tables/${path}`)).status).toBe(200);
  expect((await exports()).slice(0, -before || undefined)).toEqual(["Ventas xlsx", "Clientes csv"]);
});

test("every sale that passes the filters is in the file, across pages, newest first", async () => {
  const lines = linesOf((await owner.download("/tables/sales.csv?total_min=1100")).bytes.toString("utf8"));
  expect(lines).toHaveLength(1 + many - 100);
  expect(lines[1]).toMatch(/^2026-11-09 07:19:59;Venta;Completada;/);
  const totals = lines.slice(1).map((line) => Number(line.split(";")[13]));
  expect([totals[0], totals.at(-1), new Set(totals).size]).toEqual([1_000 + many - 1, 1_100, many - 100]);
});

test("as Excel it has the same rows, with numbers and dates", async () => {
  const response = await owner.download("/tables/sales.xlsx?total_max=1001");
  expect(response.headers.get("content-type")).toContain("spreadsheetml");
  const [sheet] = await readWorkbook(response.bytes);
  expect(sheet!.sheet).toBe("Ventas");
  expect(sheet!.data.map((row) => row[13])).toEqual(["Total", 1_001, 1_000]);
  expect(sheet!.data[1]![0]).toEqual(new Date("2026-11-09T07:00:01Z"));
});

test("nobody else's rows are in it, nobody without a session gets it, and a bad filter is a normal error", async () => {
  expect(linesOf((await stranger.download("/tables/sales.csv")).bytes.toString("utf8"))).toHaveLength(1);
  expect((await call(service, "GET", "/tables/sales.csv")).status).toBe(401);
  for (const path of ["/tables/sales.csv?total_min=x", "/tables/sales.xlsx?number=sin+cifras"]) {
    const refused = await owner.get(path);
    expect([refused.status, refused.headers.get("content-disposition")]).toEqual([400, null]);
    expect(refused.body.error.param).toMatch(/^(total_min|number)$/);
  }
});

test("an account has two downloads at once; one that its browser left makes room for another", async () => {
  const gate = Promise.withResolvers<void>();
  let ended = 0;
  /** One page at once, the next when the test says so. */
  async function* pages() {
    try {
      yield ["primera"];
      await gate.promise;
      yield ["segunda"];
    } finally {
      ended += 1;
    }
  }
  await using app = fastify({ forceCloseConnections: true });
  app.addHook("onRequest", async (request) => {
    request.session = { accountId: String(request.headers["x-account"]) } as never;
  });
  handleErrors(app, "http://127.0.0.1");
  serveTable(app as never, service.deps, {
    right: "anyone",
    path: "/slow",
    query: NoQuery,
    make: () => ({ title: "Lenta", columns: [{ title: "Página", type: "text", value: String }], pages: pages() }),
  });
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  const get = (account: string, signal?: AbortSignal) =>
    fetch(`${address}/slow.csv`, { headers: { "x-account": account }, ...(signal && { signal }) });

  const gone = new AbortController();
  const [first, second] = [await get("a", gone.signal), await get("a")];
  expect([first.status, second.status]).toEqual([200, 200]);
  const third = await get("a");
  expect([third.status, third.headers.get("retry-after"), third.headers.get("content-disposition")]).toEqual([
    429,
    "10",
    null,
  ]);
  expect((await get("b")).status).toBe(200);
  gone.abort();
  gate.resolve();
  expect(await second.text()).toBe("Página\r\nprimera\r\nsegunda\r\n");
  await eventually(async () => (await get("a")).status === 200);
  await eventually(() => ended >= 3);
});
