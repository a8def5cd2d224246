import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { cashSessions } from "../../src/business/cash-sessions/resource.ts";
import { warehouses } from "../../src/business/inventory/resource.ts";
import { invoices } from "../../src/business/invoices/resource.ts";
import { sales } from "../../src/business/sales/resource.ts";
import { readGuides } from "../../src/sites/docs/guides.ts";
import { searchFor, searchPlaces } from "../../src/sites/docs/search.ts";
import { allMeans, paymentName } from "../../src/taxes/means.ts";
import { signatureHeader } from "../../src/webhooks/endpoints/signature.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { projectDir } from "../support/process.ts";
import { cashSessionBody, invoiceBody, saleBody, store, warehouseBody } from "../support/records.ts";
import { installSdk, sharedSdkFolder } from "../support/sdk-package.ts";

const run = promisify(execFile);
const written = readGuides("http://127.0.0.1:3000");
const service = sharedService();
const shop = sharedShop(service);
const folder = sharedSdkFolder("mostrador-guias-");
beforeAll(async () => {
  await shop.api.post("/products", { name: "Leche", base_price: 4200 });
  await store(service.deps, shop.accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
  const rejected = { status: "rejected", number: 7, dian_message: "Regla FAJ43b" } as const;
  await store(service.deps, shop.accountId, invoices, (at) => [
    { body: invoiceBody(at, { issued_at: "2026-09-28T19:05:09.120Z" }) },
    { body: invoiceBody(at, rejected) },
  ]);
  const closed = { status: "closed", expected_amount: 330_000, counted_amount: 330_000, difference: 0 } as const;
  await store(service.deps, shop.accountId, cashSessions, (at) => [
    { body: cashSessionBody(at, { ...closed, register_name: "Caja 1" }) },
  ]);
  await mkdir(join(folder.path, "vendor"), { recursive: true });
  await writeFile(join(folder.path, "vendor/autoload.php"), `<?php require_once '${projectDir}sdk-php/autoload.php';`);
  await store(service.deps, shop.accountId, sales, (at) => [{ body: saleBody(at) }, { body: saleBody(at) }]);
});

const isThere = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

test("the guide for registers lists every means of payment", async () => {
  const text = await readFile(new URL("../../docs/guide/escribir-una-caja.md", import.meta.url), "utf8");
  const [, list = ""] = text.split("### Medios de pago");
  const listed = [...list.matchAll(/^\| `([A-Z_]+)` \| (.+) \|$/gm)].map(([, code, name]) => [code, name]);
  expect(listed).toEqual(allMeans.map((code) => [code, paymentName(code)]));
});

describe("the samples marked to be run", () => {
  const samples = written.flatMap(({ slug, fences }) =>
    fences
      .filter(({ attributes }) => "ejecutar" in attributes)
      .map((fence, i) => ({ name: `${slug} ${i + 1} (${fence.language})`, ...fence })),
  );
  /** What each sample must print, by the guide and its position in it. */
  const expected: Record<string, RegExp> = {
    "autenticacion 1 (sh)": /"object":"list"/,
    "autenticacion 2 (js)": /^Leche\n$/,
    "conectar-una-tienda 1 (js)": /^Leche\n$/,
    "conectar-una-tienda 2 (python)": /^-?[\d.]+ unidades libres\n$/,
    "conectar-una-tienda 3 (js)": /^true true\n$/,
    "conectar-una-tienda 4 (js)": /^order\.placed\n$/,
    "contabilidad 1 (js)": /^1 5378 1022\n$/,
    "contabilidad 2 (python)": /^1 5378 1022\n$/,
    "contabilidad 3 (php)": /^1 5378 1022\n$/,
    "inteligencia-de-negocios 1 (js)": /\[ .*, 12800 \]/,
    "inteligencia-de-negocios 2 (python)": /^\(2, 12800\)\n$/,
    "inteligencia-de-negocios 3 (php)": /=> 12800/,
    "cuadre-del-dia 1 (js)": /^Caja 1: esperado 330000, contado 330000, diferencia 0\n$/,
    "cuadre-del-dia 2 (python)": /^Caja 1 330000 330000 0\n$/,
    "cuadre-del-dia 3 (php)": /^Caja 1: 0\n$/,
    "documentos-rechazados 1 (js)": /^EPOS7 \(rejected\): Regla FAJ43b\n$/,
    "documentos-rechazados 2 (python)": /^EPOS 7 Regla FAJ43b\n$/,
    "documentos-rechazados 3 (php)": /^EPOS7: Regla FAJ43b\n$/,
    "asistentes 1 (sh)": /"structuredContent":\{"products":\[\{.*"name":"Leche"/,
    "registro-siem 1 (python)": /"sequence": 1/,
    "registro-siem 2 (js)": /^1 api_key\.create operator /m,
    "paginacion-y-sincronizacion 1 (js)": /^([0-9a-f-]{36} 6400\n){2}$/,
    "paginacion-y-sincronizacion 2 (python)": /^2 ventas\n$/,
    "paginacion-y-sincronizacion 3 (js)": /^2 ventas; la próxima vez, desde \d{4}-/,
    "paginacion-y-sincronizacion 4 (js)": /^[1-9]\d* eventos; al día\n$/,
    "paginacion-y-sincronizacion 5 (sh)": /^\s*1\n$/,
    "paginacion-y-sincronizacion 6 (js)": /^12800\n$/,
    "idempotencia 1 (sh)": /^(\{"object":"customer",.*\})\n\1\n$/,
    "idempotencia 2 (js)": /^true\n$/,
    "pedidos 1 (sh)": /"object":"order",.*"status":"placed",.*"total":8400/,
    "pedidos 2 (js)": /^true placed\ncancelled\n$/,
    "compras-e-inventario 1 (js)": /^2026-10-28 2083\.333333 partly_received received true\n$/,
    "campos-propios 1 (js)": /^\{ asesora: 'Paula' \}\n$/,
    "limites 1 (sh)": /200 OK/,
  };

  test("are the ones listed in this test", () => {
    expect(samples.map(({ name }) => name)).toEqual(Object.keys(expected));
  });

  test.each(samples)(
    "$name",
    async ({ name, language, text }) => {
      const program = { js: process.execPath, sh: "sh", python: "python3", php: "php" }[language]!;
      if (!isThere(program, "--version") && program !== "sh") {
        console.warn(`${program} is not on this machine: its sample was not run`);
        return;
      }
      const file = join(folder.path, language === "js" ? "ejemplo.mjs" : "ejemplo");
      await writeFile(file, text.replaceAll("http://127.0.0.1:3000", service.baseUrl));
      const env = { ...process.env, MOSTRADOR_API_KEY: shop.key, PYTHONPATH: `${projectDir}sdk-python/src` };
      const { stdout } = await run(program, [file], { cwd: folder.path, env });
      expect(stdout).toMatch(expected[name]!);
    },
    60_000,
  );
});

describe("the verification of signatures in", () => {
  const secret = "whsec_guia_ñ";
  const body = '{"id":"1","type":"sale.completed","data":{"object":{"notes":"Año"}}}';
  const now = Math.floor(Date.now() / 1000);
  const good = signatureHeader(body, [secret], now);
  const cases: [what: string, header: string, verdict: string][] = [
    ["a valid signature", good, "válida"],
    ["the older of two secrets", signatureHeader(body, ["whsec_nuevo", secret], now), "válida"],
    ["another secret", signatureHeader(body, ["whsec_nuevo"], now), "inválida"],
    ["another body", signatureHeader(`${body} `, [secret], now), "inválida"],
    ["an old signature", signatureHeader(body, [secret], now - 400), "inválida"],
    ["no time", good.replace(/t=\d+,/, ""), "inválida"],
    ["two times", `t=${now},${good}`, "inválida"],
    ["no signature", `t=${now}`, "inválida"],
    ["nothing", "", "inválida"],
  ];
  const languages = {
    ts: { program: process.execPath, args: [], isHere: true },
    python: { program: "python3", args: [], isHere: isThere("python3", "--version") },
    php: { program: "php", args: [], isHere: isThere("php", "--version") },
    go: { program: "go", args: ["run"], isHere: isThere("go", "version") },
  };

  test.each(Object.entries(languages))(
    "%s agrees with the service",
    async (language, { program, args, isHere }) => {
      const { fences } = written.find(({ slug }) => slug === "webhooks")!;
      const fence = fences.find(
        (one) => one.language === language && one.attributes.archivo?.startsWith("verificar."),
      )!;
      if (!isHere) {
        console.warn(`${program} is not on this machine: its sample was not run`);
        return;
      }
      const file = join(folder.path, fence.attributes.archivo!);
      await writeFile(file, fence.text);
      const command = language === "go" ? await built(file) : [program, ...args, file];
      for (const [what, header, verdict] of cases) {
        const env = {
          ...process.env,
          SERVICE_SIGNATURE: header,
          MOSTRADOR_WEBHOOK_SECRET: secret,
          NODE_NO_WARNINGS: "1",
        };
        const { stdout, stderr } = spawnSync(command[0]!, command.slice(1), { input: body, env, cwd: folder.path });
        expect([what, stdout.toString().trim(), stderr.toString()]).toEqual([what, verdict, ""]);
      }
    },
    120_000,
  );

  /** Compiled once: `go run` would compile for each case. */
  async function built(file: string): Promise<string[]> {
    await run("go", ["build", "-o", join(folder.path, "verificar-go"), file], { cwd: folder.path });
    return [join(folder.path, "verificar-go")];
  }
});

describe("the lines that keep the newest of two copies, in", () => {
  const copy = (id: string, version?: number, n = 0) => ({ data: { object: { id, ...(version && { version }), n } } });
  const events = [
    copy("a", 2, 1),
    copy("a", 1, 2),
    copy("a", 2, 3),
    copy("b", undefined, 4),
    copy("b", undefined, 5),
    copy("b", 1, 6),
    copy("c", 9, 7),
    copy("c", 10, 8),
  ];
  const drivers: Record<string, [program: string, driver: string]> = {
    mjs: [
      process.execPath,
      "\nconst copia = new Map();\nfor (const e of EVENTS) guardar(copia, e);\nconsole.log(JSON.stringify([...copia.values()].map((o) => o.n)));",
    ],
    py: [
      "python3",
      "\nimport json\ncopia = {}\nfor e in json.loads(EVENTS):\n    guardar(copia, e)\nprint(json.dumps([o['n'] for o in copia.values()], separators=(',', ':')))",
    ],
    php: [
      "php",
      "\n$copia = [];\nforeach (json_decode(EVENTS, true) as $e) guardar($copia, $e);\necho json_encode(array_map(fn($o) => $o['n'], array_values($copia)));",
    ],
  };

  test.each(Object.entries(drivers))("%s keep the same", async (ending, [program, driver]) => {
    const { fences } = written.find(({ slug }) => slug === "webhooks")!;
    const fence = fences.find(({ attributes }) => attributes.archivo === `guardar.${ending}`)!;
    if (!isThere(program, "--version")) {
      console.warn(`${program} is not on this machine: its sample was not run`);
      return;
    }
    const text = JSON.stringify(events);
    const literal = ending === "mjs" ? text : `'${text}'`;
    const file = join(folder.path, `guardar.${ending}`);
    await writeFile(file, fence.text + driver.replace("EVENTS", literal));
    const { stdout, stderr } = spawnSync(program, [file], { cwd: folder.path });
    expect([stderr.toString(), stdout.toString().trim()]).toEqual(["", "[1,6,8]"]);
  });
});

describe("the site", () => {
  test("every guide is a page and a text, and every link leads somewhere", async () => {
    const pages = ["/docs/guias", ...written.map(({ path }) => path), ...written.map(({ path }) => `${path}.md`)];
    const links = new Set<string>();
    for (const path of pages) {
      const response = await fetch(service.baseUrl + path);
      expect([path, response.status]).toEqual([path, 200]);
      const text = await response.text();
      for (const [, href] of text.matchAll(/href="(\/[^"]*)"/g)) links.add(href!);
      expect(text, path).not.toMatch(/undefined|\[object|\{\{/);
    }
    for (const link of links) {
      const [path, anchor] = link.split("#");
      const response = await fetch(service.baseUrl + path!);
      expect([link, response.status]).toEqual([link, 200]);
      if (anchor) expect(await response.text(), link).toContain(`id="${anchor}"`);
    }
  });

  test("a search finds the section, whatever the accents, and every error by its code", async () => {
    const places = searchPlaces(written, await (await fetch(`${service.baseUrl}/public/v1/openapi.json`)).json());
    const hrefs = (q: string) => searchFor(places, q).map(({ href }) => href);
    expect(hrefs("ROTAR el secreto")[0]).toBe("/docs/guia/webhooks#rotar-el-secreto");
    expect(hrefs("paginacion")[0]).toMatch(/^\/docs\/guia\/paginacion-y-sincronizacion/);
    expect(hrefs("SKU_ALREADY_EXISTS")).toContain("/docs/errores#SKU_ALREADY_EXISTS");
    expect(hrefs("xyzzy")).toEqual([]);
    // Other words for the same, other endings, and slips of the keyboard.
    for (const slip of ["paginar", "paginación", "pagianr", "pagination", "cursor"])
      expect(hrefs(slip).slice(0, 6).join(), slip).toContain("/docs/guia/paginacion-y-sincronizacion");
    expect(hrefs("401")).toContain("/docs/errores#INVALID_API_KEY");
    for (const slip of ["idempotensia", "idempotency", "duplicado"])
      expect(hrefs(slip).join(), slip).toContain("/docs/guia/idempotencia");
    expect(hrefs("crear cliente")[0]).toBe("/docs/referencia/clientes#createCustomer");
    expect(hrefs("factura").join()).toContain("/docs/referencia/documentos");
    const page = await fetch(`${service.baseUrl}/docs/buscar?q=${encodeURIComponent("<script>hola")}`);
    expect(page.status).toBe(200);
    const text = await page.text();
    expect(text).toContain("Nada coincide");
    expect(text).not.toContain("<script>");
  });

  test("llms.txt names every guide and operation", async () => {
    const text = await (await fetch(`${service.baseUrl}/llms.txt`)).text();
    for (const { path } of written) expect(text).toContain(`${path}.md`);
    for (const operation of ["GET /public/v1/exports/sales", "POST /public/v1/customers"])
      expect(text).toContain(operation);
  });

  test("every page has its Markdown beside it and says so, and all of it is one text", async () => {
    const read = async (path: string) => (await fetch(service.baseUrl + path)).text();
    const menu = [...(await read("/docs/guias")).matchAll(/href="(\/docs[^"#.]*)"/g)].map(([, path]) => path!);
    const pages = [...new Set(menu)].filter((path) => !/schemas$|\?|buscar/.test(path));
    expect(pages).toEqual(expect.arrayContaining(["/docs", "/docs/errores", "/docs/referencia/ventas"]));
    const whole = await read("/llms-full.txt");
    for (const path of pages) {
      expect(await read(path), path).toContain(`<link rel="alternate" type="text/markdown" href="${path}.md">`);
      const text = await read(`${path}.md`);
      expect(text, path).toMatch(/^# /);
      expect(text, path).not.toMatch(/undefined|\[object/);
      expect(whole.includes(text.trimEnd()), path).toBe(true);
    }
    const orders = await read("/docs/referencia/pedidos.md");
    for (const call of ["curl -X POST", "mostrador.orders.create(", "$mostrador->orders->create(", "`accept_by`"])
      expect(orders).toContain(call);
    expect((await fetch(`${service.baseUrl}/docs/referencia/nada.md`)).status).toBe(404);
  });

  test("what is new is a feed, newest first", async () => {
    const response = await fetch(`${service.baseUrl}/docs/novedades.atom`);
    expect(response.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    const feed = await response.text();
    const ids = [...feed.matchAll(/<entry>\n<id>([^<]+)<\/id>/g)].map(([, id]) => id!);
    const { sections } = written.find(({ slug }) => slug === "novedades")!;
    expect(ids).toHaveLength(sections.filter(({ id }) => id).length);
    expect(new Set(ids).size).toBe(ids.length);
    const times = [...feed.matchAll(/<updated>([^<]+)<\/updated>/g)].map(([, at]) => Date.parse(at!));
    expect(times.every((at, i) => at > 0 && (i === 0 || at <= times[i - 1]!))).toBe(true);
    if (!isThere("python3", "--version")) return;
    const { stdout } = await run("python3", [
      "-c",
      "import sys, xml.dom.minidom as x; print(x.parseString(sys.argv[1]).documentElement.tagName)",
      feed,
    ]);
    expect(stdout).toBe("feed\n");
  });

  test("the Postman collection has every operation, ready to be sent", async () => {
    // biome-ignore lint/suspicious/noExplicitAny: a collection is read as data
    const collection: any = await (await fetch(`${service.baseUrl}/docs/postman.json`)).json();
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const document: any = await (await fetch(`${service.baseUrl}/public/v1/openapi.json`)).json();
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const requests = collection.item.flatMap((tag: any) => tag.item.map((one: any) => one.request));
    const operations = Object.values<object>(document.paths).flatMap((path) => Object.keys(path));
    expect(requests).toHaveLength(operations.length);
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const create = requests.find((one: any) => one.method === "POST" && one.url.raw === "{{base}}/customers");
    const answer = await shop.api.send(
      "POST",
      "/customers",
      { "content-type": "application/json", "idempotency-key": "postman" },
      create.body.raw,
    );
    expect(answer.status).toBe(201);
    // biome-ignore lint/suspicious/noExplicitAny: as above
    expect(create.header.map((one: any) => one.key)).toEqual(["Content-Type", "Idempotency-Key"]);
  });

  test("the package that the installation offers for download is the one that is built", async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), "mostrador-tgz-"));
    try {
      const bytes = Buffer.from(await (await fetch(`${service.baseUrl}/docs/mostrador-sdk.tgz`)).arrayBuffer());
      await writeFile(join(elsewhere, "sdk.tgz"), bytes);
      const list = async (file: string) => (await run("tar", ["-tzf", file])).stdout.split("\n").sort();
      expect(await list(join(elsewhere, "sdk.tgz"))).toEqual(await list(folder.packed));
      await installSdk(elsewhere, "./sdk.tgz");
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  }, 300_000);
});
