import { Type } from "typebox";
import { renameDevice } from "../../access/devices/rename-device.ts";
import { revokeDevice } from "../../access/devices/revoke-device.ts";
import { sql } from "../../db/sql.ts";
import type { Deps } from "../../deps.ts";
import { ById } from "../../engine/resources/fields.ts";
import { ApiError } from "../../lib/errors.ts";
import type { TypedApp } from "../public/public-app.ts";
import type { Answers, Conflict, Device, FlaggedRecord, QuarantinedRecord } from "./answers.ts";
import { remoteEdit } from "./attention.ts";
import { requestConfirmation } from "./confirmations.ts";
import { fitting } from "./paging.ts";
import { actorOf } from "./session-routes.ts";
import { typedName } from "./typed-name.ts";

/** The newest ones; a register with more than these has one problem, not many. */
const mostShown = 100;
/** Of what was set aside or lost, so much is shown: enough to recognize it. */
const longestShown = 20_000;

const NewDevice = Type.Object({ name: typedName(100) }, { additionalProperties: false });

export function deviceRoutes(app: TypedApp, deps: Deps): void {
  app.get("/devices", async (request): Promise<Answers["GET /devices"]> => {
    const { rows } = await deps.pool.query<Device>(sql`
      select d.id, d.name, d.app_version, d.created_at, d.last_seen_at, d.revoked_at, p.skew_ms, p.forked_at,
        not coalesce(${remoteEdit} = any(d.capabilities), false) as is_outdated,
        (select count(*) from quarantined_records q where q.account_id = d.account_id and q.device_id = d.id) as quarantined,
        (select count(*) from conflicts c where c.account_id = d.account_id and c.device_id = d.id) as conflicts,
        (select count(*) from flagged_records f where f.account_id = d.account_id and f.device_id = d.id) as flagged
      from devices d left join device_progress p on p.account_id = d.account_id and p.device_id = d.id
      where d.account_id = ${request.session.accountId} order by d.created_at, d.id`);
    return { object: "list", data: rows };
  });
  app.post("/devices/enrolment", { schema: { body: NewDevice } }, async (request, reply) =>
    reply.code(202).send(await requestConfirmation(deps, request.session, "device.enrol", request.body)),
  );
  app.patch("/devices/:id", { schema: { params: ById, body: NewDevice } }, async (request, reply) => {
    const { accountId } = request.session;
    const deviceId = request.params.id;
    const name = request.body.name.trim();
    if (!(await renameDevice(deps, { accountId, deviceId, name }, actorOf(request)))) throw noSuchDevice();
    return reply.send({ id: deviceId, name });
  });
  app.get("/devices/:id/quarantined", { schema: { params: ById } }, async (request) => {
    await requireDevice(request.session.accountId, request.params.id);
    const { rows } = await deps.pool.query<QuarantinedRecord>(sql`
      select device_seq, received_at, type, record_id, reason, left(raw, ${longestShown}) as raw from quarantined_records
      where account_id = ${request.session.accountId} and device_id = ${request.params.id}
      order by device_seq desc limit ${mostShown}`);
    return { object: "list", data: fitting(rows) } satisfies Answers["GET /devices/:id/quarantined"];
  });
  app.get("/devices/:id/conflicts", { schema: { params: ById } }, async (request) => {
    await requireDevice(request.session.accountId, request.params.id);
    const { rows } = await deps.pool.query<Conflict & { kept: string | null; lost: string | null }>(sql`
      select id, found_at, device_seq, type, record_id, field,
        left(kept::text, ${longestShown + 1}) as kept, left(lost::text, ${longestShown + 1}) as lost from conflicts
      where account_id = ${request.session.accountId} and device_id = ${request.params.id}
      order by found_at desc, id desc limit ${mostShown}`);
    const shown = (text: string | null): unknown => {
      if (text === null) return null;
      return text.length > longestShown ? `${text.slice(0, longestShown)}…` : JSON.parse(text);
    };
    const data = rows.map((row) => ({ ...row, kept: shown(row.kept), lost: shown(row.lost) }));
    return { object: "list", data: fitting(data) } satisfies Answers["GET /devices/:id/conflicts"];
  });
  app.get("/devices/:id/flagged", { schema: { params: ById } }, async (request) => {
    await requireDevice(request.session.accountId, request.params.id);
    const { rows } = await deps.pool.query<Omit<FlaggedRecord, "findings"> & { findings: string }>(sql`
      select device_seq, found_at, type, record_id, findings from flagged_records
      where account_id = ${request.session.accountId} and device_id = ${request.params.id}
      order by found_at desc, record_id limit ${mostShown}`);
    const data = rows.map((row): FlaggedRecord => ({ ...row, findings: JSON.parse(row.findings) }));
    return { object: "list", data } satisfies Answers["GET /devices/:id/flagged"];
  });
  app.delete("/devices/:id", { schema: { params: ById } }, async (request, reply) => {
    const { accountId } = request.session;
    const revoked = await revokeDevice(deps, { accountId, deviceId: request.params.id }, actorOf(request));
    if (!revoked) throw noSuchDevice();
    // The notice of it is still on its way: whoever revoked it must not see it go on here.
    deps.access.clear();
    return reply.code(204).send();
  });

  async function requireDevice(accountId: string, id: string): Promise<void> {
    const { rowCount } = await deps.pool.query(
      sql`select 1 from devices where account_id = ${accountId} and id = ${id}`,
    );
    if (rowCount === 0) throw noSuchDevice();
  }
}

function noSuchDevice(): ApiError {
  return new ApiError("NOT_FOUND", { param: "id", message: "No existe esta caja en la cuenta." });
}
