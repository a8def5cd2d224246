import { createEnrolmentCode } from "../access/devices/create-enrolment-code.ts";
import { isNameInUse, nameInUse } from "../access/devices/device-names.ts";
import { revokeDevice } from "../access/devices/revoke-device.ts";
import { requireOpenLocation } from "../business/locations/registers.ts";
import { oneRow } from "../db/read.ts";
import { sql } from "../db/sql.ts";
import { ApiError } from "../lib/errors.ts";
import { isUuid } from "../lib/ids.ts";
import { accountId } from "./account.ts";
import { type Command, type Invocation, required, UsageError, word } from "./command.ts";
import { withCurrentSchema, withDatabase } from "./with-database.ts";

export const deviceEnrol: Command = {
  name: "device enrol",
  summary: "Crea un código para vincular una caja; vale 10 minutos y una sola vez",
  usage: '--account <id> --name "Caja 1" [--location <id>]',
  options: { account: "Id de la cuenta", name: "Nombre de la caja", location: "Id de su sede, si no es la primera" },
  async run(invocation) {
    const account = accountId(required(invocation, "account"));
    const name = required(invocation, "name");
    const locationId = placeIn(invocation);
    const made = await withDatabase(invocation.config, async (deps) => {
      if (await isNameInUse(deps.pool, account, name)) throw new UsageError(nameInUse(name));
      await requireOpenLocation(deps.pool, account, locationId).catch((error: unknown) => {
        throw error instanceof ApiError ? new UsageError(noSuchPlace) : error;
      });
      return createEnrolmentCode(deps, { accountId: account, name, locationId });
    });
    invocation.out.result(made, `Código de vinculación: ${made.code} (vence ${made.expires_at.toISOString()})`);
  },
};

const noSuchPlace =
  "No existe esa sede, o está cerrada. Véalas en el portal, en Ajustes → Sedes, o con GET /locations.";

function placeIn({ options: { location } }: Invocation): string | undefined {
  if (location === undefined) return undefined;
  if (typeof location !== "string" || !isUuid(location)) throw new UsageError(noSuchPlace);
  return location;
}

export const deviceRevoke: Command = {
  name: "device revoke",
  summary: "Retira una caja de inmediato",
  usage: "<id>",
  takes: 1,
  async run(invocation) {
    const id = word(invocation, 0, "el id de la caja");
    const revoked = isUuid(id)
      ? await withDatabase(invocation.config, async (deps) => {
          const { rows } = await deps.pool.query<{ account_id: string }>(
            sql`select account_id from devices where id = ${id}`,
          );
          return rows[0] && revokeDevice(deps, { accountId: rows[0].account_id, deviceId: id });
        })
      : undefined;
    if (!revoked) throw new UsageError(`No existe la caja ${id}. Véalas con: npx mostrador device list --account <id>`);
    invocation.out.result(revoked, `Caja ${id} retirada.`);
  },
};

export const deviceList: Command = {
  name: "device list",
  summary: "Muestra las cajas de una cuenta",
  usage: "--account <id>",
  options: { account: "Id de la cuenta" },
  async run(invocation) {
    const account = accountId(required(invocation, "account"));
    const { rows } = await withCurrentSchema(invocation.config, ({ pool }) =>
      pool.query(sql`
        select d.id, d.name, d.app_version, d.capabilities, d.last_seen_at, d.revoked_at, p.acked_seq, p.skew_ms
        from devices d left join (
          select device_id, acked_seq, skew_ms from device_progress where account_id = ${account}) p on p.device_id = d.id
        where d.account_id = ${account} order by d.created_at, d.id`),
    );
    const lines = rows.map(
      (row) =>
        `${row.id}  ${row.revoked_at ? "retirada" : "vigente "}  ${row.name}  ${row.app_version ?? "sin versión"}  ${row.acked_seq ?? 0} envíos`,
    );
    invocation.out.result(
      { devices: rows },
      lines.join("\n") || "La cuenta no tiene cajas. Vincule una con: npx mostrador device enrol",
    );
  },
};

export const deviceReload: Command = {
  name: "device reload",
  summary: "Hace que todas las cajas carguen de nuevo: después de restaurar una copia de la base de datos",
  async run(invocation) {
    // Cursors are valid for one epoch only. Registers keep what they have not sent, and download everything else again.
    const { rows } = await withDatabase(invocation.config, ({ pool }) =>
      pool.query<{ epoch: string }>("update installation set epoch = gen_random_uuid() returning epoch"),
    );
    invocation.out.result(oneRow(rows), "Listo: cada caja cargará todo de nuevo la próxima vez que se conecte.");
  },
};
