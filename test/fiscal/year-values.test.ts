import { describe, expect, test } from "vitest";
import { mailNotices } from "../../src/alerts/mail-notices.ts";
import { tellCertificates } from "../../src/fiscal/documents/tell-certificates.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { day } from "../../src/lib/clock.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { fiscalBusiness, noticesOf, plainSale, ringUp } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { mailsTo, openPortal } from "../support/portal.ts";
import { enrol, remoteEdit } from "../support/register.ts";

const thisYear = Number(bogotaDate(new Date()).slice(0, 4));
const service = sharedService({ UVT_BY_YEAR: `${thisYear}=10000`, BAG_TAX_BY_YEAR: `${thisYear}=99,2099=500` });

test("a UVT that the operator sets counts for the limit of POS documents", async () => {
  const { accountId } = await fiscalBusiness(service);
  await setProfile(service.deps, accountId, { settings: { pos_limit_uvt: 5 } });
  await ringUp(service, accountId, (at) => [plainSale(at, 50_000), plainSale(at, 50_001)]);
  const notices = await noticesOf(service, accountId);
  expect(notices).toMatchObject([{ kind: "pos_above_limit", message: expect.stringContaining("$50000"), times: 1 }]);
});

test("registers receive the bag tax of the years that the operator sets", async () => {
  const { accountId } = await service.business();
  const till = await enrol(service, accountId, { capabilities: [remoteEdit, "business.down.1"] });
  const { body } = await till.pull();
  const business = body.changes.find(({ type }: { type: string }) => type === "business");
  expect(business.data.bag_tax_by_year).toEqual({ [thisYear]: 99, 2099: 500 });
});

describe("a certificate that ends", () => {
  const inDays = (days: number) => bogotaDate(new Date(service.deps.clock.now().getTime() + days * day));

  test.each([
    [31, [], null],
    [30, ["certificate_ending"], "vence el"],
    [7, ["certificate_ending"], "Quedan pocos días"],
    [-1, ["certificate_ended"], "venció el"],
  ])("in %d days is told in the portal and by mail, once", async (days, kinds, words) => {
    const owner = await openPortal(service);
    const settings = { certificate_until: inDays(days) };
    await setProfile(service.deps, owner.accountId, {
      nit: "900373923-8",
      regime: "iva",
      softwarePin: "12345",
      settings,
    });
    const concerns = (await owner.get("/attention")).body.data.map(({ kind }: { kind: string }) => kind);
    expect(concerns.filter((kind: string) => kind.startsWith("certificate"))).toEqual(kinds);
    for (let i = 0; i < 2; i++) await tellCertificates(service.deps.pool, service.deps.clock.now());
    await mailNotices(service.deps);
    const mails = (await mailsTo(service, owner.email)).filter(({ text }) => text.includes("certificado"));
    expect(mails).toHaveLength(words === null ? 0 : 1);
    if (words !== null) expect(mails[0]!.text).toContain(words);
  });

  test("has a day of the calendar", async () => {
    const { accountId } = await fiscalBusiness(service);
    const set = (certificate_until: string) => setProfile(service.deps, accountId, { settings: { certificate_until } });
    await expect(set("31/05/2027")).rejects.toThrow("2027-05-31");
    await expect(set("2027-02-30")).rejects.toThrow("2027-05-31");
    expect((await set("2027-05-31")).settings.certificate_until).toBe("2027-05-31");
  });
});
