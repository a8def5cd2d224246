import { Type } from "typebox";
import { recordAudit } from "../accounts/record-audit.ts";
import { sql } from "../db/sql.ts";
import type { Deps } from "../deps.ts";
import { revokeDevice } from "../devices/revoke-device.ts";
import type { TypedApp } from "../http/public-app.ts";
import { ApiError } from "../lib/errors.ts";
import { ById, label } from "../resources/fields.ts";
import { requestConfirmation } from "./confirmations.ts";
import { actorOf } from "./session-routes.ts";

const NewDevice = Type.Object({ name: label(100) }, { additionalProperties: false });

export function deviceRoutes(app: TypedApp, deps: Deps): void {
  app.get("/devices", async (request) => {
    const { rows } = await deps.pool.query(sql`
      select id, name, app_version, created_at, last_seen_at, revoked_at from devices
      where account_id = ${request.session.accountId} order by created_at, id`);
    return { object: "list", data: rows };
  });
  app.post("/devices/enrolment", { schema: { body: NewDevice } }, async (request, reply) =>
    reply.code(202).send(await requestConfirmation(deps, request.session, "device.enrol", request.body)),
  );
  app.delete("/devices/:id", { schema: { params: ById } }, async (request, reply) => {
    const { accountId } = request.session;
    const revoked = await revokeDevice(deps, { accountId, deviceId: request.params.id });
    if (!revoked) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe esta caja en la cuenta." });
    await recordAudit(deps.pool, {
      accountId,
      at: deps.clock.now(),
      action: "device.revoked",
      details: { device_id: revoked.id },
      actor: actorOf(request),
    });
    return reply.code(204).send();
  });
}
