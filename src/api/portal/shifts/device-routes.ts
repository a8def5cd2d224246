import { recordAudit } from "../../../access/accounts/record-audit.ts";
import { findDevice } from "../../../access/devices/device-access.ts";
import { isNameInUse, nameInUse } from "../../../access/devices/device-names.ts";
import { renameDevice } from "../../../access/devices/rename-device.ts";
import { revokeDevice } from "../../../access/devices/revoke-device.ts";
import { moveRegister, requireOpenLocation } from "../../../business/locations/registers.ts";
import { transaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../deps.ts";
import { ById, label, optional, uuid } from "../../../engine/resources/fields.ts";
import { ApiError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import { PushBody, syncBodyLimitBytes } from "../../sync/protocol.ts";
import { push } from "../../sync/push/push.ts";
import { readSetAside } from "../../sync/set-aside/due.ts";
import { tryAgain } from "../../sync/set-aside/try-again.ts";
import type { Answers } from "../answers.ts";
import { requestConfirmation } from "../settings/confirmations.ts";
import { actorOf } from "../settings/session-routes.ts";
import { fitPage } from "../tables/paging.ts";
import { listConflicts, listFlagged, listQuarantined } from "./device-problems.ts";
import { listDevices, requireDevice, unknownDevice } from "./devices.ts";

/** What the owner sees of them at once. */
const maxTriedAtOnce = 100;

const Unsent = Type.Pick(PushBody, ["records"]);

const Name = Type.Object({ name: label(100) }, { additionalProperties: false });
const NewDevice = Type.Object({ name: label(100), location_id: optional(uuid()) }, { additionalProperties: false });
const Place = Type.Object({ location_id: uuid() }, { additionalProperties: false });

const toChange = { right: "registers:write" } as const;

export function deviceRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/devices",
    { config: { right: "registers:read" } },
    async ({ session }): Promise<Answers["GET /devices"]> => {
      const all = await listDevices(deps.pool, session.accountId);
      const { locationIds } = session;
      return { object: "list", data: all.filter((one) => locationIds?.includes(one.location_id) ?? true) };
    },
  );
  const toEnrol = { ...toChange, placedBy: ["location_id"] } as const;
  app.post("/devices/enrolment", { config: toEnrol, schema: { body: NewDevice } }, async (request, reply) => {
    const { name, location_id } = request.body;
    if (await isNameInUse(deps.pool, request.session.accountId, name)) throw takenName(name);
    await requireOpenLocation(deps.pool, request.session.accountId, location_id);
    const payload = { name, ...(location_id !== undefined && { location_id }) };
    return reply.code(202).send(await requestConfirmation(deps, request.session, "device.enrol", payload));
  });
  app.patch("/devices/:id", { config: toChange, schema: { params: ById, body: Name } }, async (request, reply) => {
    const { accountId } = request.session;
    const deviceId = request.params.id;
    const name = request.body.name.trim();
    const outcome = await renameDevice(deps, { accountId, deviceId, name }, actorOf(request));
    if (outcome === "unknown") throw unknownDevice();
    if (outcome === "in-use") throw takenName(name);
    deps.access.clear();
    return reply.send({ id: deviceId, name });
  });
  app.put(
    "/devices/:id/location",
    { config: toChange, schema: { params: ById, body: Place } },
    async (request, reply) => {
      const { accountId } = request.session;
      const target = { accountId, deviceId: request.params.id, locationId: request.body.location_id };
      if (!(await moveRegister(deps, target, actorOf(request)))) throw unknownDevice();
      return reply.code(204).send();
    },
  );
  for (const [problem, list] of [
    ["quarantined", listQuarantined],
    ["conflicts", listConflicts],
    ["flagged", listFlagged],
  ] as const)
    app.get(
      `/devices/:id/${problem}`,
      { config: { right: "registers:read" }, schema: { params: ById } },
      async ({ session: { accountId }, params }) => {
        await requireDevice(deps.pool, accountId, params.id);
        return { object: "list", data: fitPage<object>(await list(deps.pool, accountId, params.id)) };
      },
    );
  app.delete("/devices/:id", { config: toChange, schema: { params: ById } }, async (request, reply) => {
    const { accountId } = request.session;
    const revoked = await revokeDevice(deps, { accountId, deviceId: request.params.id }, actorOf(request));
    if (!revoked) throw unknownDevice();
    // The register must be refused here before the response, not when the notification arrives.
    deps.access.clear();
    return reply.code(204).send();
  });
  uploadRoutes(app, deps);
}

/** What registers uploaded and was set aside, and what one saved as a file. */
function uploadRoutes(app: TypedApp, deps: Deps): void {
  app.post(
    "/devices/:id/quarantined/retry",
    { config: toChange, schema: { params: ById } },
    async (request): Promise<Answers["POST /devices/:id/quarantined/retry"]> => {
      const { accountId } = request.session;
      const deviceId = request.params.id;
      await requireDevice(deps.pool, accountId, deviceId);
      const tried = await tryAgain(deps, await readSetAside(deps.pool, { accountId, deviceId }, maxTriedAtOnce));
      if (tried.stored > 0)
        await transaction(deps.pool, (client) =>
          recordAudit(client, {
            accountId,
            at: deps.clock.now(),
            action: "records.retried",
            details: { device_id: deviceId, stored: tried.stored },
            actor: actorOf(request),
          }),
        );
      return tried;
    },
  );
  // What a register saved as a file because its store was gone. Its records keep their numbers: none is stored twice.
  app.post(
    "/devices/:id/unsent",
    { config: toChange, bodyLimit: syncBodyLimitBytes, schema: { params: ById, body: Unsent } },
    async (request): Promise<Answers["POST /devices/:id/unsent"]> => {
      const { accountId } = request.session;
      const device = await findDevice(deps.pool, accountId, request.params.id);
      if (!device) throw unknownDevice();
      const body = { records: request.body.records };
      const upload = { body, mayHoldUnstorable: true, requestId: request.id };
      const { results } = await push(deps, device, upload, { isHandedIn: true }).catch(refuseForeign);
      const stored = results.filter(({ status }) => status !== "duplicate").length;
      if (stored > 0)
        await transaction(deps.pool, (client) =>
          recordAudit(client, {
            accountId,
            at: deps.clock.now(),
            action: "records.handed_in",
            details: { device_id: device.deviceId, name: device.name, stored },
            actor: actorOf(request),
          }),
        );
      const aside = results.filter(({ status }) => status === "quarantined").length;
      return { stored: stored - aside, aside, duplicates: results.length - stored };
    },
  );
}

function takenName(name: string): ApiError {
  return new ApiError("VALIDATION_ERROR", { param: "name", message: nameInUse(name.trim()) });
}

/** Said to an owner, who has a file and not a register before him. */
function refuseForeign(error: unknown): never {
  const isOther = error instanceof ApiError && (error.code === "DEVICE_FORKED" || error.code === "DEVICE_SEQ_GAP");
  if (!isOther) throw error;
  const message =
    "Este archivo no continúa lo que esta caja ya subió: es de otra caja, se modificó, o le falta una parte. No se guardó nada.";
  throw new ApiError("VALIDATION_ERROR", { param: "records", message });
}
