import { type Actor, recordAudit } from "../../access/accounts/record-audit.ts";
import type { Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import type { ByYear } from "../../lib/by-year.ts";
import { mostTipPercent } from "../../taxes/tip.ts";

/** The data of a business, as its registers receive it. */
export interface BusinessInfo {
  id: string;
  name: string;
  nit: string | null;
  regime: string | null;
  prices_include_tax: boolean;
  ticket_header: string | null;
  ticket_footer: string | null;
  color: string | null;
  cash_rounding: number;
  tip_percent: number;
  blind_count: boolean;
  /** What a ticket says of a document that waits while the authority is away; null while it answers. */
  contingency: string | null;
  /** Present only if tickets are not mailed, because older registers do not know the field. */
  ticket_mail?: false;
  /** Minutes without a touch after which the screen locks. Absent if it never does. */
  lock_minutes?: number;
  /** The formats of its scale labels (see src/lib/scale-label.ts). Absent if it has none. */
  scale_labels?: string[];
  /** How a register writes the address at which a buyer sees his document. Absent in what earlier releases sent. */
  document_links?: { url: string; account_id: string; key: string };
  /** Pesos per plastic bag, by year, for years that were added in this installation. Absent if there are none. */
  bag_tax_by_year?: ByYear;
}

export type CounterSettings = Pick<
  BusinessInfo,
  "ticket_header" | "ticket_footer" | "color" | "cash_rounding" | "tip_percent" | "blind_count"
> &
  LaterSettings;

/** What a page of an earlier version knows nothing of: then it stays as it is. */
interface LaterSettings {
  /** 0 for never. */
  lock_minutes: number;
  scale_labels: string[];
}

type GivenSettings = Omit<CounterSettings, keyof LaterSettings> & Partial<LaterSettings>;

interface Read {
  info: BusinessInfo;
  /** The version that registers received last. */
  sent: string | null;
}

/** Puts it together from its tables: the name and the taxes are stored elsewhere. */
async function read(db: Queryable, accountId: string): Promise<Read> {
  const { rows } = await db.query(sql`
    select a.name, f.nit, f.regime, f.prices_include_tax, s.ticket_header, s.ticket_footer, s.color, s.cash_rounding,
      s.tip_percent, s.blind_count, s.lock_minutes, s.scale_labels, s.info::text as sent,
      a.ticket_mail and coalesce(s.mails_tickets, true) as mails_tickets
    from accounts a left join fiscal_profiles f on f.account_id = a.id left join counter_settings s on s.account_id = a.id
    where a.id = ${accountId}`);
  const row = oneRow(rows);
  const info: BusinessInfo = {
    id: accountId,
    name: row.name,
    nit: row.nit,
    regime: row.regime,
    prices_include_tax: row.prices_include_tax ?? true,
    ticket_header: row.ticket_header,
    ticket_footer: row.ticket_footer,
    color: row.color,
    cash_rounding: row.cash_rounding ?? 0,
    // Earlier releases allowed a higher percentage.
    tip_percent: Math.min(row.tip_percent ?? 0, mostTipPercent),
    blind_count: row.blind_count ?? false,
    contingency: row.sent === null ? null : ((JSON.parse(row.sent) as Partial<BusinessInfo>).contingency ?? null),
    ...(!row.mails_tickets && { ticket_mail: false }),
    ...(row.lock_minutes && { lock_minutes: row.lock_minutes }),
    ...(row.scale_labels?.length > 0 && { scale_labels: row.scale_labels }),
  };
  return { info, sent: row.sent };
}

export async function readCounterSettings(db: Queryable, accountId: string): Promise<CounterSettings> {
  const { info } = await read(db, accountId);
  const { ticket_header, ticket_footer, color, cash_rounding, tip_percent, blind_count } = info;
  const { lock_minutes = 0, scale_labels = [] } = info;
  return { ticket_header, ticket_footer, color, cash_rounding, tip_percent, blind_count, lock_minutes, scale_labels };
}

/** What of the installation a register is told with its business. */
interface Surroundings {
  contingency: string | null;
  ticketMail: boolean;
  bagTaxByYear: ByYear;
  documentLinks: NonNullable<BusinessInfo["document_links"]>;
}

/**
 * Puts the business into the registers' feed if it differs from what they received last, or if they never received it. Called
 * before every pull of a register that wants it, which costs two small queries.
 */
export async function refreshBusiness(
  deps: WritingDeps,
  accountId: string,
  { contingency, ticketMail, bagTaxByYear, documentLinks }: Surroundings,
): Promise<void> {
  const now = ({ info }: Read): BusinessInfo => ({
    ...info,
    // Its words name an instant that moves as documents are settled: registers keep the first ones until it is over.
    contingency: contingency === null ? null : (info.contingency ?? contingency),
    ...(!ticketMail && { ticket_mail: false }),
    document_links: documentLinks,
    ...(Object.keys(bagTaxByYear).length > 0 && { bag_tax_by_year: bagTaxByYear }),
  });
  const known = await read(deps.pool, accountId);
  if (JSON.stringify(now(known)) === known.sent) return;
  await writing(deps, accountId, async (write) => {
    const current = await read(write.client, accountId);
    const text = JSON.stringify(now(current));
    if (text === current.sent) {
      write.discard();
      return;
    }
    write.moveFeed();
    write.addStatement(sql`
      insert into counter_settings (account_id, seq, info, updated_at)
      values (${accountId}, ${write.seq}, ${text}, ${write.at})
      on conflict (account_id) do update set seq = excluded.seq, info = excluded.info`);
  });
}

export async function setCounterSettings(
  deps: WritingDeps,
  accountId: string,
  given: GivenSettings,
): Promise<CounterSettings> {
  return writing(deps, accountId, async (write) => {
    const { lock_minutes: lock = 0, scale_labels: labels = [], ...others } = (await read(write.client, accountId)).info;
    const { lock_minutes = lock, scale_labels = labels, ...own } = given;
    const settings: CounterSettings = { ...own, lock_minutes, scale_labels };
    const info: BusinessInfo = {
      ...{ ...others, ...own },
      ...(lock_minutes > 0 && { lock_minutes }),
      ...(scale_labels.length > 0 && { scale_labels }),
    };
    write.moveFeed();
    write.addStatement(sql`
      insert into counter_settings (account_id, seq, info, ticket_header, ticket_footer, color, cash_rounding, tip_percent,
        blind_count, lock_minutes, scale_labels, updated_at)
      values (${accountId}, ${write.seq}, ${JSON.stringify(info)}, ${settings.ticket_header}, ${settings.ticket_footer},
        ${settings.color}, ${settings.cash_rounding}, ${settings.tip_percent}, ${settings.blind_count}, ${lock_minutes},
        ${scale_labels}, ${write.at})
      on conflict (account_id) do update set seq = excluded.seq, info = excluded.info,
        ticket_header = excluded.ticket_header, ticket_footer = excluded.ticket_footer, color = excluded.color,
        cash_rounding = excluded.cash_rounding, tip_percent = excluded.tip_percent,
        blind_count = excluded.blind_count, lock_minutes = excluded.lock_minutes, scale_labels = excluded.scale_labels,
        updated_at = excluded.updated_at`);
    return settings;
  });
}

/** The owner's switch for tickets by mail. Registers learn of it with the next pull. */
export async function setTicketMail(
  deps: WritingDeps,
  accountId: string,
  active: boolean,
  actor: Actor,
): Promise<void> {
  await writing(deps, accountId, async (write) => {
    const { info } = await read(write.client, accountId);
    write.moveFeed();
    write.addStatement(sql`
      insert into counter_settings (account_id, seq, info, mails_tickets, updated_at)
      values (${accountId}, ${write.seq}, ${JSON.stringify(info)}, ${active}, ${write.at})
      on conflict (account_id) do update set seq = excluded.seq, mails_tickets = excluded.mails_tickets`);
    await recordAudit(write.client, { accountId, at: write.at, action: "ticket_mail.set", details: { active }, actor });
  });
}
