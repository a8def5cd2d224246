import { type Actor, recordAudit } from "../../access/accounts/record-audit.ts";
import { sedeLabel, whichSedes } from "../../business/locations/which-sedes.ts";
import type { Pool, Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../lib/clock.ts";

/** How a business shows itself on its papers and in the mails to its buyers. */
export interface BusinessLook {
  /** Its name or legal name; where it set none, the account's. */
  name: string | null;
  address: string | null;
  city: string | null;
  phone: string | null;
  email: string | null;
  /** #rrggbb */
  color: string;
  /** A sentence at the end of its papers. */
  footer: string | null;
  /** Whether a buyer with an address gets each document by mail after the verdict. */
  mails_documents: boolean;
}

/** With the name as it is printed. */
export interface ShownLook extends BusinessLook {
  printed_name: string;
  /** On the papers of one sede of several, or of some together: their names and codes. */
  establishments?: readonly string[];
  /** What the names of their files end in. */
  fileMark?: string;
}

export const defaultLook: BusinessLook = {
  name: null,
  address: null,
  city: null,
  phone: null,
  email: null,
  color: "#0b6b57",
  footer: null,
  // The law wants every electronic document delivered.
  mails_documents: true,
};

export async function readLook(db: Queryable, accountId: string): Promise<ShownLook> {
  const { rows } = await db.query<{ name: string; look: string | null }>(sql`
    select a.name, p.look from accounts a left join paper_settings p on p.account_id = a.id where a.id = ${accountId}`);
  const look: BusinessLook = { ...defaultLook, ...JSON.parse(rows[0]?.look ?? "{}") };
  return { ...look, printed_name: look.name ?? rows[0]?.name ?? "" };
}

/** A business with several sedes, as it shows itself on what is of one of them: what the sede does not say is the business's. */
export async function readLookAt(
  db: Queryable,
  accountId: string,
  locationId: string | null | undefined,
): Promise<ShownLook> {
  const [look, { rows }] = await Promise.all([
    readLook(db, accountId),
    db.query<{ id: string; name: string; address: string | null; phone: string | null; code: string | null }>(sql`
      select id, body->>'name' as name, body->>'address' as address, body->>'phone' as phone,
        body->>'establishment_code' as code
      from locations where account_id = ${accountId}`),
  ]);
  const own = rows.find(({ id }) => id === (locationId ?? accountId));
  if (!own || rows.length === 1) return look;
  return {
    ...look,
    // The city stands beside the business's own address; a sede says where it is in its own.
    ...(own.address && { address: own.address, city: null }),
    phone: own.phone ?? look.phone,
    establishments: [sedeLabel(own.name, own.code)],
  };
}

/** The same on what is of several sedes together: the business itself, with the names of those that are in it. */
export async function readLookOf(
  db: Queryable,
  accountId: string,
  locationIds: readonly string[] | null,
): Promise<ShownLook> {
  const [only, ...others] = locationIds ?? [];
  const [which, look] = await Promise.all([
    whichSedes(db, accountId, locationIds),
    only !== undefined && others.length === 0 ? readLookAt(db, accountId, only) : readLook(db, accountId),
  ]);
  return which ? { ...look, establishments: which.labels, fileMark: which.mark } : look;
}

export async function setLook(
  deps: { pool: Pool; clock: Clock },
  accountId: string,
  look: BusinessLook,
  actor: Actor,
): Promise<void> {
  const at = deps.clock.now();
  await transaction(deps.pool, async (client) => {
    const { printed_name: _, ...before } = await readLook(client, accountId);
    await client.query(sql`
      insert into paper_settings (account_id, look, accounts, updated_at)
      values (${accountId}, ${JSON.stringify(look)}, '{}', ${at})
      on conflict (account_id) do update set look = excluded.look, updated_at = excluded.updated_at`);
    await recordAudit(client, { accountId, at, action: "look.set", details: { ...look, before, after: look }, actor });
  });
}
