import { expect, test } from "vitest";
import { sharedService } from "../support/fixtures.ts";
import { openPortal } from "../support/portal.ts";
import { raw } from "../support/raw.ts";

const service = sharedService();
/** Empty, and so not given: the tests' services have it on otherwise. */
const unset = { DEV_MAIL: "" };

/** What a visitor of the mailbox gets. */
async function mailbox(settings: Record<string, string>, headers: Record<string, string> = {}): Promise<number> {
  await using sibling = await service.sibling({ ...unset, ...settings });
  return (await raw(sibling.baseUrl, { path: "/dev/mail", headers: { host: "127.0.0.1", ...headers } })).status;
}

test("the mailbox is there on loopback, and nowhere else unless DEV_MAIL=on says so", async () => {
  expect(await mailbox({})).toBe(200);
  expect(await mailbox({ PUBLIC_URL: "http://localhost:3000", HOST: "::1" })).toBe(200);
  for (const exposed of [
    { HOST: "0.0.0.0" },
    { HOST: "::" },
    { HOST: "192.168.1.5" },
    { PUBLIC_URL: "https://tienda.example" },
    { TRUST_PROXY: "1" },
    { TRUST_PROXY: "loopback" },
  ]) {
    expect([exposed, await mailbox(exposed)]).toEqual([exposed, 404]);
    expect([exposed, await mailbox({ ...exposed, DEV_MAIL: "on" })]).toEqual([exposed, 200]);
  }
  expect(await mailbox({ DEV_MAIL: "off" })).toBe(404);
});

test("on loopback, what comes through a tunnel or a proxy that nobody told us about does not see it", async () => {
  expect(await mailbox({}, { host: "tienda.ejemplo.app" })).toBe(404);
  for (const name of [
    "x-forwarded-for",
    "x-forwarded-host",
    "x-real-ip",
    "cf-connecting-ip",
    "x-forwarded-proto",
    "forwarded",
    "via",
  ])
    expect([name, await mailbox({}, { [name]: "1.1 a" })]).toEqual([name, 404]);
  expect(await mailbox({ DEV_MAIL: "on" }, { host: "tienda.ejemplo.app", "x-forwarded-for": "10.0.0.9" })).toBe(200);
});

test("the portal links to the mailbox only where there is one", async () => {
  const linked = async (settings: Record<string, string>) => {
    await using sibling = await service.sibling({ ...unset, ...settings });
    const portal = await openPortal(sibling);
    return (await portal.get("/session")).body.mailbox;
  };
  expect(await linked({})).toBe("/dev/mail");
  expect(await linked({ DEV_MAIL: "off" })).toBeNull();
});
