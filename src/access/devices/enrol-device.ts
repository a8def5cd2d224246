import { timingSafeEqual } from "node:crypto";
import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { storableText } from "../../lib/json.ts";
import { oneLine } from "../../lib/one-line.ts";
import { hashToken, newToken } from "../../lib/token.ts";
import { lockAccount } from "../accounts/account-lock.ts";
import { recordAudit } from "../accounts/record-audit.ts";
import { readCode, selectorOf } from "./create-enrolment-code.ts";
import { deviceTokenPrefix } from "./device-access.ts";
import { freeName } from "./device-names.ts";

export interface Enrolment {
  code: string;
  /** Counts only where the code has none. */
  name?: string | undefined;
  app_version?: string | undefined;
  capabilities?: readonly string[] | undefined;
}

export interface EnrolledDevice {
  device_id: string;
  token: string;
  account_id: string;
  epoch: string;
  /** What the owner calls it. */
  name: string;
}

interface CodeRow {
  code_hash: Buffer;
  account_id: string;
  name: string;
  location_id: string | null;
}

const maxAttempts = 5;

/** A register joins an account. Only its token's hash is stored: the token is returned here and never again. */
export async function enrolDevice(
  deps: { pool: Pool; clock: Clock },
  input: Enrolment,
  remoteAddress: string | null = null,
): Promise<EnrolledDevice> {
  const code = readCode(input.code);
  if (code === undefined) throw new ApiError("ENROLMENT_CODE_INVALID", { param: "code" });
  const now = deps.clock.now();
  // Committed before comparing: a failed guess must not be rolled back with its transaction.
  const { rows } = await deps.pool.query<CodeRow>(sql`
    update enrolment_codes set attempts = attempts + 1
    where selector = ${selectorOf(code)} and used_at is null and expires_at > ${now} and attempts < ${maxAttempts}
    returning code_hash, account_id, name, location_id`);
  const found = rows[0];
  if (!found || !timingSafeEqual(found.code_hash, hashToken(code)))
    throw new ApiError("ENROLMENT_CODE_INVALID", { param: "code" });

  const deviceId = uuidv7(now);
  const token = newToken(deviceTokenPrefix);
  const wanted = found.name || oneLine(storableText(input.name ?? ""));
  const appVersion = input.app_version === undefined ? null : storableText(input.app_version);
  const capabilities = input.capabilities?.map(storableText) ?? null;
  return transaction(deps.pool, async (client) => {
    // PATCH /products takes the same lock, so it sees this register whole or not at all.
    await lockAccount(client, found.account_id);
    const used = await client.query(sql`
      update enrolment_codes set used_at = ${now} where selector = ${selectorOf(code)} and used_at is null`);
    if (used.rowCount === 0) throw new ApiError("ENROLMENT_CODE_INVALID", { param: "code" });
    const name = await freeName(client, found.account_id, wanted);
    await client.query(sql`
      insert into devices (id, account_id, name, token_hash, app_version, capabilities, created_at, last_seen_at, location_id)
      values (${deviceId}, ${found.account_id}, ${name}, ${hashToken(token)}, ${appVersion},
        ${capabilities}, ${now}, ${now}, ${found.location_id})`);
    await client.query(sql`
      insert into device_progress (account_id, device_id) values (${found.account_id}, ${deviceId})`);
    await recordAudit(client, {
      accountId: found.account_id,
      at: now,
      action: "device.enrolled",
      details: { device_id: deviceId, name },
      actor: { kind: "register", sessionId: null, remoteAddress },
    });
    const { rows: installation } = await client.query<{ epoch: string }>("select epoch from installation");
    return { device_id: deviceId, token, account_id: found.account_id, epoch: installation[0]!.epoch, name };
  });
}
