import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { expect, test } from "vitest";
import { buyerLink, readBuyerToken } from "../../src/fiscal/documents/buyer-link.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import { derivedKey } from "../../src/lib/secret-keys.ts";
import { faults } from "../support/axe.ts";
import { ringUp } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { everyClass, newBuyer, openPapers, saleOf } from "../support/papers.ts";
import { readPdf } from "../support/pdf.ts";
import { startService } from "../support/service.ts";
import { sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();

async function sold(goods = everyClass) {
  const owner = await openPapers(service);
  const buyer = await newBuyer(service, owner.accountId);
  const [sale] = await ringUp(service, owner.accountId, (at) => [
    saleOf(at, goods, { document_kind: "invoice", customer_id: buyer.id }),
  ]);
  const purchase = { accountId: owner.accountId, saleId: sale!.id };
  return { owner, purchase, sale: sale!, link: linkOf(purchase) };
}

function linkOf(purchase: { accountId: string; saleId: string }): string {
  return buyerLink({ ...service.deps.config, publicUrl: service.baseUrl }, purchase);
}

test("a buyer opens the ticket's link on a phone: what he bought, where its document stands, its files, and nothing to sign in to", async () => {
  const { link, sale } = await sold();
  const context = await browser.newContext({ viewport: { width: 375, height: 740 }, locale: "es-CO" });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(link);
  await page.getByText("PENDIENTE: la DIAN todavía no ha dado su veredicto").waitFor();
  expect(await page.locator('meta[http-equiv="refresh"]').count()).toBe(1);

  await decideAll(service);
  await page.reload();
  const { prefix, number, cufe } = (await issued(sale.id))!;
  await page.getByRole("heading", { level: 1, name: `${prefix}${number}` }).waitFor();
  for (const text of ["Panadería La Espiga S.A.S.", "Gaseosa cola 400 ml", "Papa pastusa (kg)", cufe!, "TOTAL"])
    await page.getByText(text).first().waitFor();
  await page.getByText("Aceptado por la DIAN el ").waitFor();
  expect(await page.getByText("PENDIENTE").count()).toBe(0);
  const xml = await fetch(`${link}/documento.xml`);
  expect([xml.status, await xml.text()]).toEqual([404, expect.stringContaining("Este documento no tiene XML aquí")]);
  expect(await page.locator('meta[http-equiv="refresh"]').count()).toBe(0);
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  expect(await faults(page, "light", "html")).toEqual([]);
  expect(await faults(page, "dark", "html")).toEqual([]);
  expect(complaints).toEqual([]);

  const href = await page.getByRole("link", { name: "Descargar PDF" }).getAttribute("href");
  const pdf = await fetch(new URL(href!, service.baseUrl));
  expect(pdf.headers.get("content-type")).toBe("application/pdf");
  expect((await readPdf(Buffer.from(await pdf.arrayBuffer()))).text).toContain(cufe!.slice(0, 20));
  await context.close();
});

async function issued(saleId: string) {
  const { rows } = await service.deps.pool.query<{ body: string }>(
    "select body::text as body from invoices where sale_id = $1",
    [saleId],
  );
  return rows.map(({ body }) => JSON.parse(body) as { prefix: string; number: number; cufe: string | null }).at(-1);
}

test("what has not arrived yet, was cancelled or is not ours is said in words, and nothing of it is kept on the way", async () => {
  const { owner, link } = await sold();
  const later = await fetch(linkOf({ accountId: owner.accountId, saleId: uuidv7(new Date()) }));
  expect([later.status, await later.text()]).toEqual([200, expect.stringContaining("Su compra todavía no ha llegado")]);
  const gone = await fetch(linkOf({ accountId: uuidv7(new Date()), saleId: uuidv7(new Date()) }));
  expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining("Este enlace no sirve")]);
  const foreign = await sold();
  const id = (await (await fetch(foreign.link)).text()).match(/documento=([0-9a-f-]{36})/)![1]!;
  const mixed = await fetch(`${link}?documento=${id}`);
  expect(mixed.status, "a document of another purchase").toBe(404);
  const [cancelled] = await ringUp(service, owner.accountId, (at) => [
    { ...saleOf(at, everyClass), status: "cancelled", document_kind: "pos" },
  ]);
  expect(await (await fetch(linkOf({ accountId: owner.accountId, saleId: cancelled!.id }))).text()).toMatch(
    /Esta compra se anuló|ANULADO|anuló/,
  );

  const { headers } = await fetch(link);
  expect(headers.get("cache-control")).toBe("private, no-store");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("x-robots-tag")).toBe("noindex");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
});

test("10 000 guesses find nothing, and no guess asks the database", async () => {
  const { link } = await sold();
  const token = link.slice(link.lastIndexOf("/") + 1);
  expect(token).toMatch(/^[\w-]{64}$/);
  const bytes = Buffer.from(token, "base64url");
  const { config } = service.deps;
  expect(readBuyerToken(config, token)).toBeDefined();
  for (let i = 0; i < 10_000; i++) {
    const guess = Buffer.from(bytes);
    // Who knows a ticket knows its account: one bit elsewhere, another sale with the same seal, or a seal at random.
    if (i < 8 * bytes.length) guess[i >> 3]! ^= 1 << (i & 7);
    else randomBytes(i % 2 ? 16 : 32).copy(guess, i % 2 ? 32 : 16);
    expect(readBuyerToken(config, guess.toString("base64url"))).toBeUndefined();
  }
  for (const other of [token.slice(1), `${token}A`, `${token}=`, token.replace(/.$/, "!"), "", "a".repeat(10_000)])
    expect(readBuyerToken(config, other), other.slice(0, 70)).toBeUndefined();
  const answers = await Promise.all(
    ["x", token.replace(/^./, "_"), `${token}%00`, "..%2f..%2fetc"].map((text) =>
      fetch(`${service.baseUrl}/d/${text}`),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

test("a link that is opened again and again waits; the same shop's other links do not", async () => {
  const { owner, link } = await sold();
  const other = linkOf({ accountId: owner.accountId, saleId: uuidv7(new Date()) });
  const answers: number[] = [];
  for (let i = 0; i < 40; i++) answers.push((await fetch(link)).status);
  expect(answers.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect((await fetch(other)).status).toBe(200);
});

test("a printed link outlasts the key that it was made with", () => {
  const purchase = { accountId: uuidv7(new Date()), saleId: uuidv7(new Date()) };
  const link = buyerLink({ secretKeys: "a".repeat(32), retiredKeys: {}, publicUrl: "" }, purchase).slice("/d/".length);
  expect(
    readBuyerToken({ secretKeys: { current: "b".repeat(32), previous: "a".repeat(32) }, retiredKeys: {} }, link),
  ).toEqual(purchase);
  const retiredKeys = { "document links": [derivedKey("a".repeat(32), "document links")] };
  expect(readBuyerToken({ secretKeys: "b".repeat(32), retiredKeys }, link)).toEqual(purchase);
  expect(readBuyerToken({ secretKeys: "b".repeat(32), retiredKeys: {} }, link)).toBeUndefined();
});

test("the owner shares it from the sale and the document: by WhatsApp with the buyer's own number, as a link, and sees what he sees", async () => {
  const { owner, sale } = await sold();
  await decideAll(service);
  const visitor = await visit(browser, service);
  await visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await visitor.signIn(owner.email);
  for (const path of [`/ventas/${sale.id}`, `/documentos/${sale.invoices[0]!.id}`]) {
    await visitor.goto(path);
    await visitor.button("Compartir").click();
    const whatsApp = visitor.page.getByRole("menuitem", { name: "Enviar por WhatsApp" });
    const href = new URL((await whatsApp.getAttribute("href"))!);
    expect(href.origin + href.pathname).toBe("https://wa.me/573001234567");
    const link = /http\S+$/.exec(href.searchParams.get("text")!)![0];
    await visitor.page.getByRole("menuitem", { name: "Copiar el enlace" }).click();
    await visitor.sees("Enlace copiado");
    expect(await visitor.page.evaluate("navigator.clipboard.readText()")).toBe(link);
    const seen = await fetch(link.replace(service.deps.config.publicUrl, service.baseUrl));
    expect(await seen.text()).toContain("Panadería La Espiga S.A.S.");
  }
  expect(visitor.complaints).toEqual([]);
  await visitor.context.close();
});

test("the log names no link", async () => {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  await using logged = await startService({}, { log });
  const token = buyerLink(
    { ...logged.deps.config, publicUrl: "" },
    { accountId: uuidv7(new Date()), saleId: uuidv7(new Date()) },
  );
  for (const path of [token, `${token}/documento.pdf`, `${token}/nada`, `${token}/`])
    await fetch(logged.baseUrl + path);
  const said = lines.filter((line) => line.includes('"/d/'));
  expect(said).toHaveLength(4);
  expect(said.join()).not.toContain(token.slice(3, 20));
});
