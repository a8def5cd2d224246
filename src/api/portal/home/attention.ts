import type { Advised } from "../../../access/people/advice.ts";
import type { Right } from "../../../access/people/rights.ts";
import { readWaitingOrders } from "../../../alerts/waiting-orders.ts";
import { readToldActs } from "../../../business/counter/counter-acts.ts";
import { sql } from "../../../db/sql.ts";
import type { ServedDeps } from "../../../deps.ts";
import { type Contingency, readContingency } from "../../../fiscal/documents/contingency.ts";
import { readUnsentTickets } from "../../../fiscal/documents/ticket-mails.ts";
import { nextStepFor } from "../../../fiscal/findings/advice.ts";
import { type OpenFinding, readFindings } from "../../../fiscal/findings/read-findings.ts";
import type { RangeKind } from "../../../fiscal/numbering/numbering.ts";
import { rangeEnds, rangeUses } from "../../../fiscal/numbering/range-use.ts";
import { certificateStage } from "../../../fiscal/profile/certificate.ts";
import { readProfile, readRanges } from "../../../fiscal/profile/profile.ts";
import { day, minute } from "../../../lib/clock.ts";
import { expiryNoticeDays } from "../../../mail/mail-expiring-keys.ts";
import { bogotaDate } from "../../../taxes/bogota-time.ts";
import { listEndpoints } from "../../../webhooks/endpoints/store.ts";
import { readUnissued } from "../documents/unissued-documents.ts";
import { type ListedTransfer, readTransfers } from "../stock/read-transfers.ts";

/** Problems that need the owner's attention, each with the record it concerns. */
export type Concern =
  | { kind: "endpoint_failing"; endpoint_id: string; url: string; failures: number; failing_since: Date }
  | { kind: "endpoint_deactivated"; endpoint_id: string; url: string }
  | { kind: "device_outdated"; device_id: string; name: string; app_version: string | null }
  | { kind: "device_skewed"; device_id: string; name: string; skew_ms: number }
  | { kind: "device_forked"; device_id: string; name: string }
  | { kind: "key_expiring"; api_key_id: string; name: string; expires_at: Date }
  | { kind: "records_quarantined" | "records_waiting"; device_id: string; name: string; count: number }
  | { kind: "documents_unissued"; count: number; has_more: boolean }
  | { kind: "ticket_mails_unsent"; count: number; has_more: boolean; sale_id: string | null }
  | { kind: "acts_unauthorized" | "wrong_pins" | "pins_shared"; count: number; has_more: boolean }
  | {
      kind: "transfer_waiting" | "transfer_short";
      transfer_id: string;
      number: number;
      from: string;
      to: string;
      /** Whose it is to do something: the sede that waits for it, or the one that sent what did not arrive. */
      location_id: string | null;
    }
  | {
      kind: "orders_waiting";
      location_id: string;
      /** Where it has a name to tell it from others. */
      sede: string | null;
      orders: number;
      since: Date;
    }
  | { kind: "fiscal_profile_missing" }
  | { kind: "certificate_ended" | "certificate_ending"; valid_until: string }
  | { kind: "range_missing"; range_kind: RangeKind }
  | ({ kind: "finding" } & Pick<OpenFinding, "gravity" | "message" | "next_step" | "sale_id" | "invoice_id"> & {
        finding_kind: OpenFinding["kind"];
      })
  | ({ kind: "authority_away" } & Pick<Contingency, "since" | "waiting" | "is_contingency">)
  | {
      kind: "range_ended" | "range_ending";
      range_kind: RangeKind;
      prefix: string;
      remaining: number;
      valid_until: string | null;
    };

/** Who is told: whoever may see the page that a concern leads to. */
const rightByConcern: Readonly<Record<Concern["kind"], Right>> = {
  endpoint_failing: "developers:read",
  endpoint_deactivated: "developers:read",
  key_expiring: "developers:read",
  device_outdated: "registers:read",
  device_skewed: "registers:read",
  device_forked: "registers:read",
  records_quarantined: "registers:read",
  records_waiting: "registers:read",
  documents_unissued: "documents:read",
  finding: "documents:read",
  authority_away: "documents:read",
  ticket_mails_unsent: "sales:read",
  acts_unauthorized: "shifts:read",
  wrong_pins: "shifts:read",
  pins_shared: "shifts:read",
  orders_waiting: "orders:read",
  transfer_waiting: "stock:write",
  transfer_short: "stock:write",
  fiscal_profile_missing: "settings:read",
  certificate_ended: "settings:read",
  certificate_ending: "settings:read",
  range_missing: "settings:read",
  range_ended: "settings:read",
  range_ending: "settings:read",
};

/** With advice that is hers to take. */
export const concernsFor = (concerns: readonly Concern[], who: Advised): Concern[] =>
  concerns
    .filter(({ kind }) => who.rights.has(rightByConcern[kind]))
    .map((one) =>
      one.kind === "finding" ? { ...one, next_step: nextStepFor(who, one.finding_kind) ?? one.next_step } : one,
    );

export const remoteEdit = "product.remote_edit.1";
/** Sync protocol: a larger clock skew is shown. */
export const maxUnremarkableSkewMs = 5 * minute;
const maxPerKind = 20;
const maxCounted = 99;

/** What it reads is short and asked of together: it travels in one packet. */
export async function readConcerns(
  deps: Pick<ServedDeps, "reads" | "config">,
  accountId: string,
  now: Date,
): Promise<Concern[]> {
  const db = deps.reads;
  const [endpoints, devices, keys, quarantined, unissued, fiscal, findings, away, unsent, told, sent, waiting] =
    await Promise.all([
      listEndpoints(db, accountId, now),
      db.query(sql`
      select d.id, d.name, d.app_version, p.skew_ms, p.forked_at, not coalesce(${remoteEdit} = any(d.capabilities), false) as outdated
      from devices d left join (
        select device_id, skew_ms, forked_at from device_progress where account_id = ${accountId}) p on p.device_id = d.id
      where d.account_id = ${accountId} and d.revoked_at is null order by d.name, d.id`),
      db.query(sql`
      select id, name, expires_at from api_keys
      where account_id = ${accountId} and revoked_at is null and expires_at > ${now}
        and expires_at <= ${new Date(now.getTime() + expiryNoticeDays * day)}
      order by expires_at limit ${maxPerKind}`),
      db.query(sql`
      select q.device_id, coalesce(d.name, '') as name, q.state, count(*) as count
      from quarantined_records q left join devices d on d.id = q.device_id and d.account_id = q.account_id
      where q.account_id = ${accountId} group by 1, 2, 3 order by 3 desc, 4 desc limit ${maxPerKind}`),
      readUnissued(db, accountId, { limit: maxCounted + 1 }),
      readFiscalConcerns(deps, accountId, now),
      readFindings(db, accountId, { limit: maxPerKind }),
      readContingency(db, accountId, now),
      readUnsentTickets(db, accountId, { now, limit: maxCounted + 1 }),
      readToldActs(db, accountId, { now, limit: maxCounted + 1 }),
      readTransfers(db, { accountId, locationIds: null }, { open: true, limit: maxPerKind, after: undefined }),
      readWaitingOrders(db, accountId, now),
    ]);
  return [
    ...Array.from(
      Map.groupBy(waiting, ({ location_id }) => location_id),
      ([location_id, orders]): Concern => ({
        kind: "orders_waiting",
        location_id,
        sede: orders[0]!.sede,
        orders: orders.length,
        since: orders[0]!.created_at,
      }),
    ),
    ...(away === null
      ? []
      : [
          {
            kind: "authority_away" as const,
            since: away.since,
            waiting: away.waiting,
            is_contingency: away.is_contingency,
          },
        ]),
    // What a register uploaded wrong is shown with its register, and what nobody was allowed to do is counted below.
    ...findings
      .filter(({ kind }) => kind !== "upload" && kind !== "unauthorized")
      .map(
        ({ kind, gravity, message, next_step, sale_id, invoice_id }): Concern => ({
          kind: "finding",
          finding_kind: kind,
          gravity,
          message,
          next_step,
          sale_id,
          invoice_id,
        }),
      ),
    ...(unissued.length === 0 ? [] : [{ kind: "documents_unissued" as const, ...counted(unissued.length) }]),
    ...fiscal,
    ...endpoints.flatMap(({ id, url, status, consecutive_failures, failing_since }): Concern[] => {
      if (status === "deactivated") return [{ kind: "endpoint_deactivated", endpoint_id: id, url }];
      if (failing_since === null) return [];
      return [{ kind: "endpoint_failing", endpoint_id: id, url, failures: consecutive_failures, failing_since }];
    }),
    ...keys.rows.map(
      ({ id, name, expires_at }): Concern => ({ kind: "key_expiring", api_key_id: id, name, expires_at }),
    ),
    ...devices.rows.flatMap(({ id, name, app_version, skew_ms, forked_at, outdated }): Concern[] => [
      ...(forked_at ? [{ kind: "device_forked" as const, device_id: id, name }] : []),
      ...(outdated ? [{ kind: "device_outdated" as const, device_id: id, name, app_version }] : []),
      ...(Math.abs(skew_ms ?? 0) > maxUnremarkableSkewMs
        ? [{ kind: "device_skewed" as const, device_id: id, name, skew_ms }]
        : []),
    ]),
    ...sent.map(transferConcern),
    ...(unsent.length === 0
      ? []
      : [{ kind: "ticket_mails_unsent" as const, ...counted(unsent.length), sale_id: unsent[0]! }]),
    ...(told.unauthorized === 0 ? [] : [{ kind: "acts_unauthorized" as const, ...counted(told.unauthorized) }]),
    ...(told.sharedPins === 0 ? [] : [{ kind: "pins_shared" as const, ...counted(told.sharedPins) }]),
    ...(told.wrongPins === 0 ? [] : [{ kind: "wrong_pins" as const, ...counted(told.wrongPins) }]),
    ...quarantined.rows.map(
      ({ device_id, name, state, count }): Concern => ({
        kind: state === "waiting" ? "records_waiting" : "records_quarantined",
        device_id,
        name,
        count,
      }),
    ),
  ];
}

function transferConcern({ id, number, state, from, to }: ListedTransfer): Concern {
  const isShort = state === "short";
  return {
    kind: isShort ? "transfer_short" : "transfer_waiting",
    ...{ transfer_id: id, number, from: from.name, to: to.name },
    location_id: (isShort ? from : to).location_id,
  };
}

function counted(found: number): { count: number; has_more: boolean } {
  return { count: Math.min(found, maxCounted), has_more: found > maxCounted };
}

/** Without tax data a business issues no documents; only electronic ones need numbers from the authority. */
async function readFiscalConcerns(
  { reads, config }: Pick<ServedDeps, "reads" | "config">,
  accountId: string,
  now: Date,
): Promise<Concern[]> {
  const profile = await readProfile(reads, config.secretKeys, accountId);
  if (!profile) return [{ kind: "fiscal_profile_missing" }];
  if (profile.documents !== "electronic") return [];
  const today = bogotaDate(now);
  const ranges = await readRanges(reads, config.secretKeys, accountId);
  const missing = ranges.some(({ kind }) => kind === "pos" || kind === "invoice")
    ? []
    : [{ kind: "range_missing" as const, range_kind: "pos" as const }];
  const { certificate_until: until } = profile.settings;
  const stage = certificateStage(until, today);
  const kind = stage === "ended" ? "certificate_ended" : "certificate_ending";
  return [
    ...missing,
    ...(stage && until ? [{ kind, valid_until: until } as const] : []),
    ...rangeEnds(rangeUses(ranges, today), today).map(
      ({ range, remaining, end }): Concern => ({
        kind: end === "ended" ? "range_ended" : "range_ending",
        range_kind: range.kind,
        prefix: range.prefix,
        remaining,
        valid_until: range.validUntil,
      }),
    ),
  ];
}
