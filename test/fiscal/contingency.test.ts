import { expect, test } from "vitest";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { hour, minute } from "../../src/lib/clock.ts";
import { advance, noticesOf } from "../support/fiscal.ts";
import { issuerPerTest } from "../support/issuing.ts";
import { openAgain } from "../support/portal.ts";

const { service, shop, sell, documentOf, pass } = issuerPerTest();
const away = { kind: "unavailable", message: "En este momento el servicio de la DIAN no está disponible." } as const;

test("while the authority is away, documents are numbered and wait, and the owner sees since when", async () => {
  await setProfile(service.deps, shop.accountId, { settings: { max_contingency_hours: 2 } });
  const owner = await openAgain(service, shop, `${shop.accountId}@example.com`);
  const current = async () => (await owner.get("/contingency")).body.current;
  expect(await current()).toBeNull();
  const silent = fiscalWorker(service.deps, { send: async () => away, query: async () => away });
  const first = await sell(10_000);
  const since = service.deps.clock.now().getTime();
  for (let i = 0; i < 11; i++) {
    await silent.workOff();
    advance(service, 10 * minute);
  }
  const early = await current();
  expect(early).toMatchObject({ waiting: 1, allowed_hours: 2, is_contingency: false, ticket_text: null });
  expect(Math.abs(new Date(early.since).getTime() - since)).toBeLessThan(minute);
  advance(service, hour);
  await silent.workOff();
  const second = await sell(20_000);
  expect(await documentOf(second)).toMatchObject({ status: "pending", number: 2 });
  expect(await current()).toMatchObject({ waiting: 2, is_contingency: true, transmit_within_hours: 48 });
  expect((await current()).ticket_text).toMatch(
    /^Emitido en contingencia: la DIAN no responde desde el \d\d\/\d\d\/\d{4} a las \d\d:\d\d\./,
  );
  const told = (await noticesOf(service, shop.accountId)).find(({ kind }) => kind === "authority_away");
  expect(told?.message).toContain("La DIAN no responde desde el");

  await pass(30 * minute, minute);
  expect([(await documentOf(first)).status, (await documentOf(second)).status]).toEqual(["issued", "issued"]);
  expect(await current()).toBeNull();
});
