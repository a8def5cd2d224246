import { withAccountLock } from "../../../access/accounts/account-lock.ts";
import type { DeviceAccess } from "../../../access/devices/device-access.ts";
import { cashSessions } from "../../../business/cash-sessions/resource.ts";
import { insertActs } from "../../../business/counter/counter-acts.ts";
import type { Deps } from "../../../deps.ts";
import { loadMany } from "../../../engine/resources/read-one.ts";
import { readShiftReceived } from "../../../fiscal/closing/closing.ts";
import { isRecord } from "../../../fiscal/findings/finding.ts";
import { openFindings } from "../../../fiscal/findings/fiscal-finding.ts";
import { grouped } from "../../../taxes/words.ts";
import type { PushBody } from "../protocol.ts";
import { aboutShift, drawerAct } from "./shift-record.ts";

/** A charge in cash may be rounded by as much where the business says so. */
const mostRounded = 50;

/**
 * Compares the cash that a register says it sold in a shift that it closes with what the sales of the shift come to. It is done after the
 * push, with all that it stored, and again when the register repeats it. A shift whose sales name none cannot be compared.
 */
export async function checkDrawers(
  deps: Deps,
  { accountId, deviceId }: Pick<DeviceAccess, "accountId" | "deviceId">,
  records: PushBody["records"],
): Promise<void> {
  const closed = new Set(records.flatMap(closedShift));
  const shifts = closed.size === 0 ? new Map() : await loadMany(deps.pool, cashSessions, accountId, [...closed]);
  for (const { body, device_id } of shifts.values()) {
    if (device_id !== deviceId || body.status !== "closed") continue;
    const { count, received } = await readShiftReceived(deps.pool, accountId, body.id);
    const sold = received.find(({ payment_method }) => payment_method === "CASH")?.amount ?? 0;
    const said = body.cash_sales - body.cash_refunds;
    if (count === 0 || sold - said <= mostRounded * count) continue;
    const message = `La caja cerró el turno con $${grouped(said)} de ventas en efectivo, y las que subió suman $${grouped(sold)}: faltan $${grouped(sold - said)}.`;
    const at = deps.clock.now();
    const act = { kind: "shift_closed", shiftId: body.id, amount: sold - said, message, part: "short" } as const;
    await withAccountLock(deps, accountId, async (client) => {
      await openFindings({ client, accountId, at }, [aboutShift(body.id, message, "drawer_short")]);
      await client.query(insertActs(accountId, deviceId, at, [drawerAct(at, act)]));
    });
  }
}

function closedShift(record: unknown): string[] {
  if (!isRecord(record) || record.type !== "cash_session" || typeof record.id !== "string") return [];
  return isRecord(record.data) && record.data.status === "closed" ? [record.id.toLowerCase()] : [];
}
