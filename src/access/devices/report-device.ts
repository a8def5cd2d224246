import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { TurnsByKey } from "../../lib/concurrency-limit.ts";
import { storableText } from "../../lib/json.ts";
import { withAccountLock } from "../accounts/account-lock.ts";
import { announceChange } from "../accounts/announce-change.ts";
import type { DeviceAccess } from "./device-access.ts";

export interface DeviceReport {
  appVersion?: string | undefined;
  capabilities?: readonly string[] | undefined;
}

/**
 * What a register can do once it can: with it, it says who did what. Leaving it out of a push must not make the register one that never
 * could.
 */
const lasting: readonly string[] = ["counter_act.1", "sale_act.1"];

/** What a register reports, and what it lastingly can by what is stored of it. */
function withLasting(reported: readonly string[], stored: readonly string[] | null): string[] {
  return [...reported.map(storableText), ...lasting.filter((one) => stored?.includes(one))];
}

/**
 * Stores what a register reports about itself, if it changed. Takes the account lock, because remote edits of products
 * depend on it.
 */
export async function reportDevice(
  deps: { pool: Pool; accountTurns: TurnsByKey; forget: () => void },
  device: DeviceAccess,
  report: DeviceReport,
): Promise<void> {
  // Invalid characters here must not block the sales that came in the same request.
  const appVersion = report.appVersion === undefined ? device.appVersion : storableText(report.appVersion);
  const capabilities = report.capabilities
    ? [...new Set(withLasting(report.capabilities, device.capabilities))].sort()
    : device.capabilities;
  if (appVersion === device.appVersion && sameList(capabilities, device.capabilities)) return;
  await withAccountLock(deps, device.accountId, async (client) => {
    await client.query(sql`
      update devices set app_version = ${appVersion}, capabilities = ${capabilities} where id = ${device.deviceId}`);
    await announceChange(client, "access");
  });
  deps.forget();
}

function sameList(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return a === b || (a !== null && b !== null && [...a].sort().join("\n") === [...b].sort().join("\n"));
}
