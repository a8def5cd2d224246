import { expect, test } from "vitest";
import { rights } from "../../src/access/people/rights.ts";
import { rightOfScope } from "../../src/access/people/scope-rights.ts";
import { scopes } from "../../src/engine/resources/scopes.ts";
import { sharedService } from "../support/fixtures.ts";
import { enterAs } from "../support/people.ts";
import { openPortal } from "../support/portal.ts";

const service = sharedService();
const everywhere = { location_ids: null };

test("each permission of a key asks for the right to do the same in the portal", async () => {
  const owner = await openPortal(service);
  for (const scope of scopes) {
    const right = rightOfScope[scope];
    expect(rights[right]).toBeDefined();
    const others = Object.keys(rights).filter((one) => one !== right && one !== "developers:read");
    const role = await owner.post("/roles", { name: `Sin ${scope}`, rights: others });
    expect(role.status, role.text).toBe(201);
    const without = await enterAs(service, owner.business, { custom: role.body.id });
    const asked = await without.post("/api-keys", { name: "ERP", scopes: [scope] });
    if (right === "developers:read") continue;
    expect([asked.status, asked.body.error?.required_right], scope).toEqual([403, right]);
    expect((await owner.delete(`/people/${without.personId}`)).status).toBe(204);
    expect((await owner.delete(`/roles/${role.body.id}`)).status).toBe(204);
  }
});

test("a developer makes keys of what she sees, and neither makes nor rotates one that may do more", async () => {
  const owner = await openPortal(service);
  const developer = await enterAs(service, owner.business, "developer");
  for (const scope of ["audit:read", "customers:write"])
    expect((await developer.post("/api-keys", { name: "ERP", scopes: ["events:read", scope] })).status).toBe(403);
  expect((await developer.confirmed("/api-keys", { name: "Eventos", scopes: ["events:read"] })).status).toBe(201);

  const made = (await owner.confirmed("/api-keys", { name: "SIEM", scopes: ["audit:read"] })).body.api_key;
  const rotated = await developer.post(`/api-keys/${made.id}/rotate`, {});
  expect([rotated.status, rotated.body.error.required_right]).toEqual([403, "security"]);
  expect((await owner.post(`/api-keys/${made.id}/rotate`, {})).status).toBe(202);
});

test("what she may do counts again when the code comes, and somebody of one sede makes none", async () => {
  const owner = await openPortal(service);
  const administrator = await enterAs(service, owner.business, "administrator");
  const asked = await administrator.post("/api-keys", { name: "ERP", scopes: ["customers:read"] });
  expect(asked.status).toBe(202);
  const code = await administrator.code();
  await owner.patch(`/people/${administrator.personId}`, { role: "developer", ...everywhere });
  const late = await administrator.post(`/confirmations/${asked.body.confirmation_id}`, { code });
  expect([late.status, late.body.error.required_right]).toEqual([403, "customers:read"]);

  const sede = (await owner.get("/locations")).body.data[0].id as string;
  const near = await enterAs(service, owner.business, "administrator", { locationIds: [sede] });
  const refused = await near.post("/api-keys", { name: "ERP", scopes: ["sales:read"] });
  expect([refused.status, refused.body.error.required_right]).toEqual([403, "developers:write"]);
});
