import { expect, test } from "vitest";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { verifiedService } from "../support/fixtures.ts";
import { readPdf } from "../support/pdf.ts";
import { enterAs } from "../support/people.ts";
import { openPortal } from "../support/portal.ts";
import { quoteBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";
import { returnOf, saleOf } from "../support/returning.ts";

const service = verifiedService();

test("each paper carries the address, the phone and the establishment of its sede, and the business's where the sede says none", async () => {
  const owner = await openPortal(service);
  await owner.get("/locations");
  await setProfile(service.deps, owner.accountId, { nit: "900373923-8", regime: "iva", documents: "internal" });
  await owner.put("/look", { ...look, address: "Cra 45 # 12-34", city: "Medellín", phone: "604 555 0134" });
  const norte = { name: "Norte", address: "Cl 37 # 78-21", phone: "604 555 0178", establishment_code: "0002" };
  const { body: made } = await owner.post("/locations", norte);
  const till = await enrol(service, owner.accountId, { capabilities: ["return.1"] });
  const papers = async () => {
    const sale = saleOf([{ quantity: 1, unit_price: 11_900 }]);
    const back = returnOf(sale, [1]);
    const quote = quoteBody(new Date().toISOString());
    const { id, ...data } = back;
    await till.push([
      { type: "sale", id: sale.id, data: upload(sale) },
      { type: "quote", id: quote.id, data: upload(quote) },
      { type: "return", id, data },
    ]);
    const { invoices } = (await owner.business.api.get(`/sales/${sale.id}`)).body;
    const of = (await owner.business.api.get(`/sales/${sale.id}`)).body.location_id;
    const z = `/days/${bogotaDate(new Date())}/z.pdf?location_id=${of}`;
    const paths = [`/invoices/${invoices[0].id}/pdf`, `/quotes/${quote.id}/pdf`, `/returns/${id}/pdf`, z];
    const texts: string[] = [];
    for (const path of paths) {
      const { status, bytes } = await owner.download(path);
      expect(status, path).toBe(200);
      texts.push((await readPdf(bytes)).text);
    }
    return texts;
  };
  for (const text of await papers()) {
    expect(text).toContain("Cra 45 # 12-34");
    expect(text).not.toContain("Cl 37");
  }
  await owner.put(`/devices/${till.deviceId}/location`, { location_id: made.id });
  for (const text of await papers()) {
    for (const word of ["Norte (0002)", "Cl 37 # 78-21", "604 555 0178"]) expect(text).toContain(word);
    expect(text).not.toContain("Cra 45");
  }
  await owner.patch(`/locations/${made.id}`, { address: null, phone: null });
  for (const text of await papers())
    for (const word of ["Norte (0002)", "Cra 45 # 12-34", "604 555 0134"]) expect(text).toContain(word);
});

test("the Z of several sedes is headed by the business with their names, and each file says of which it is", async () => {
  const owner = await openPortal(service);
  await owner.get("/locations");
  await setProfile(service.deps, owner.accountId, { nit: "900373923-8", regime: "iva", documents: "internal" });
  await owner.put("/look", { ...look, address: "Cra 7 # 1-23", city: "Bogotá", phone: "604 555 0134" });
  const centro = { name: "Centro", address: "Cra 45 # 12-34", establishment_code: "0001" };
  await owner.patch(`/locations/${owner.accountId}`, centro);
  const belen = (await owner.post("/locations", { name: "Belén", establishment_code: "0002" })).body.id as string;
  const poblado = (await owner.post("/locations", { name: "Poblado" })).body.id as string;
  const accountant = await enterAs(service, owner.business, "accountant", { locationIds: [belen, poblado] });
  const day = bogotaDate(new Date());
  const print = async (visitor: { download: typeof owner.download }, asked = "") => {
    const z = await visitor.download(`/days/${day}/z.pdf${asked}`);
    const journal = await visitor.download(`/days/${day}/journal.csv${asked}`);
    expect([z.status, journal.status]).toEqual([200, 200]);
    const names = [z, journal].map(({ headers }) => /filename="([^"]+)"/.exec(headers.get("content-disposition")!)![1]);
    return { names, text: (await readPdf(z.bytes)).text, journal: new TextDecoder().decode(journal.bytes) };
  };
  const whole = await print(owner);
  for (const word of ["Sedes Centro (0001), Belén (0002), Poblado", "Cra 7 # 1-23"]) expect(whole.text).toContain(word);
  expect(whole.text).not.toContain("Cra 45");
  expect(whole.names).toEqual([`Z-${day}.pdf`, `diario-${day}.csv`]);
  const one = await print(owner, `?location_id=${belen}`);
  expect(one.text).toContain("Sede Belén (0002)");
  expect(one.names).toEqual([`Z-${day}-Belen.pdf`, `diario-${day}-Belen.csv`]);
  expect(one.journal.split("\r\n")[0]).toContain(";Sede");
  const some = await print(accountant);
  expect(some.text).toContain("Sedes Belén (0002), Poblado");
  expect(some.text).not.toContain("Centro");
  expect(some.names).toEqual([`Z-${day}-Belen-Poblado.pdf`, `diario-${day}-Belen-Poblado.csv`]);
});

const look = { name: "Tienda", email: null, color: "#0b6b57", footer: null, mails_documents: false };
