import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { type AlertChoice, choicesOf, readChosen } from "../../notices/alert-choices.ts";
import { type AlertName, alertKind, alertOf, allAlerts } from "../../notices/alert-kinds.ts";
import type { NoticeKind } from "../../notices/record-notices.ts";
import { type Standing, type StandingRow, standingOf } from "./membership.ts";
import type { Right } from "./rights.ts";

/** What somebody must be allowed to see to be told of it. */
export const rightOfAlert: Readonly<Record<AlertName, Right>> = {
  document_rejected: "documents:read",
  range_ending: "documents:read",
  webhook_failing: "developers:read",
  orders_waiting: "orders:read",
  stock_low: "stock:read",
  shift_short: "shifts:read",
  register_silent: "registers:read",
  unauthorized_act: "shifts:read",
};

/** What somebody must be allowed to see to find it in the bell. */
export function rightOfNotice(kind: NoticeKind): Right {
  const alert = alertOf(kind);
  return alert === undefined ? "documents:read" : rightOfAlert[alert];
}

/** Whoever sees some sedes is told of what is known to be of one of them, and of nothing that is of the whole business. */
export function alertsFor({ rights, locationIds }: Pick<Standing, "rights" | "locationIds">): AlertName[] {
  return allAlerts.filter(
    (name) => rights.has(rightOfAlert[name]) && (locationIds === null || alertKind(name).bySede === true),
  );
}

export interface AlertPerson {
  email: string;
  isOwner: boolean;
  locationIds: readonly string[] | null;
  rights: ReadonlySet<Right>;
  /** Of what she may be told, as she chose it. */
  choices: AlertChoice[];
}

/** Everybody of a business, with what each asked to be told of. */
export async function peopleToAlert(db: Queryable, accountId: string): Promise<AlertPerson[]> {
  // An account that a process of the version before opened just now has no people yet: its own address is its owner's.
  const { rows } = await db.query<StandingRow & { id: string; email: string }>(sql`
    select p.id, p.email, m.role, m.location_ids, r.name as role_name, r.rights as role_rights
    from memberships m join people p on p.id = m.person_id left join roles r on r.id = m.role_id
    where m.account_id = ${accountId}
    union all
    select a.id, a.email, 'owner', null, null, null from accounts a
    where a.id = ${accountId} and not exists (select from memberships m where m.account_id = a.id)`);
  const chosen = await readChosen(db, accountId);
  return rows.map(({ id, email, ...row }) => {
    const standing = standingOf(row);
    const isOwner = standing.role === "owner";
    const may = new Set(alertsFor(standing));
    const choices = choicesOf(chosen, id, isOwner).filter(({ kind }) => may.has(kind));
    return { email, isOwner, locationIds: standing.locationIds, rights: standing.rights, choices };
  });
}

/** The addresses of those who want to be told. */
export async function addressesFor(db: Queryable, accountId: string, kind: AlertName): Promise<string[]> {
  const people = await peopleToAlert(db, accountId);
  return people.flatMap(({ email, choices }) =>
    choices.some((one) => one.kind === kind && one.active) ? [email] : [],
  );
}
