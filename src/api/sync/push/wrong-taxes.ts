import type { BusinessInfo } from "../../../business/counter/business-info.ts";
import type { Sale, SaleItem } from "../../../business/sales/schema.ts";
import { sql } from "../../../db/sql.ts";
import { revisionOf } from "../../../engine/resources/revisions.ts";
import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import { day } from "../../../lib/clock.ts";
import { taxClassWords } from "../../../taxes/tax-class-words.ts";
import { type Regime, taxesFor } from "../../../taxes/tax-classes.ts";
import { readHeard } from "./heard.ts";
import { type Fields, fieldIn, type Incoming } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

interface Charged {
  record: Incoming;
  sale: { body: Sale };
}

interface Suspect {
  record: Incoming;
  found: Finding;
  /** Its taxes, and not its class, are another's: that depends on how the business charges. */
  isByRegime: boolean;
  /** The change of its product that the register must have received to know better. */
  since: number;
  time: number;
}

/** A ticket that was put aside, and what a quote or an order offered, has the class that its product had then. */
const ticketMs = day;
const offerMs = 90 * day;

/**
 * Lines that were charged with other taxes than their product's: the document of the sale says so to the authority, and what is collected
 * for others is no income. The register must have known the product's class, and how its business charges, since it was in touch after.
 */
export async function wrongTaxes(batch: WorkingSet, charged: readonly Charged[]): Promise<Map<Incoming, Finding[]>> {
  const regime = batch.issuer && (batch.issuer.profile?.regime ?? "iva");
  const suspects = charged.flatMap(({ record, sale }) => suspectsIn(batch, record, sale.body, regime));
  const found = new Map<Incoming, Finding[]>();
  if (suspects.length === 0) return found;
  const told = await readTold(batch);
  const meant = suspects.flatMap((one) => {
    if (!one.isByRegime) return [one];
    return told.regime === undefined || told.regime === regime
      ? [{ ...one, since: Math.max(one.since, told.seq) }]
      : [];
  });
  if (meant.length === 0) return found;
  const hadHeard = await readHeard(
    batch.write,
    batch.deviceId,
    meant.map(({ since }) => since),
    meant.map(({ time }) => time),
    "ever",
  );
  for (const { record, found: one, since, time } of meant)
    if (hadHeard(since, time)) found.set(record, [...(found.get(record) ?? []), one]);
  return found;
}

function suspectsIn(batch: WorkingSet, record: Incoming, { items }: Sale, regime?: Regime): Suspect[] {
  const given = fieldIn<Fields[]>(record.data, "items", []);
  const time = batch.times.judgedAt(record, { right: "price", at: record.editedAt, amount: null });
  return items.flatMap((item, i) => {
    const product = batch.recordSets.products.get(item.product_id ?? "");
    // Registers of others may not say the class.
    if (!product || item.quantity <= 0 || typeof given[i]?.tax_class !== "string") return [];
    const { name, tax_class: own } = product.body;
    const wrong = wrongIn(item, { name, own, at: `items[${i}]` }, regime, new Date(time));
    if (!wrong) return [];
    const revisions = product.tracking?.revisions ?? {};
    const [since, changedMs] = revisionOf(revisions, "tax_class");
    const heldMs = batch.offers.of(record) ? offerMs : ticketMs;
    if (revisions.tax_class && changedMs > time - heldMs) return [];
    return [{ record, since, time, ...wrong }];
  });
}

interface Expected {
  name: string;
  own: string;
  at: string;
}

function wrongIn(
  item: SaleItem,
  { name, own, at }: Expected,
  regime: Regime | undefined,
  date: Date,
): Pick<Suspect, "found" | "isByRegime"> | undefined {
  const words: Record<string, string> = taxClassWords;
  const said = item.tax_class;
  if (said !== own) {
    const message = `«${name}» se cobró como «${words[said] ?? said}», y en el catálogo es «${words[own] ?? own}»: sus impuestos son otros.`;
    return { isByRegime: false, found: { ...finding(`${at}.tax_class`, own, said, message), kind: "wrong_tax" } };
  }
  if (!regime || item.taxes === null || item.subtotal <= 0 || !(own in words)) return undefined;
  const [got, due] = [namesOf(item.taxes), namesOf(taxesFor(own, item.unit_price, regime, date))];
  if (got === due) return undefined;
  const message = `«${name}» se cobró ${got ? `con ${got}` : "sin impuestos"}, y ${due ? `le corresponde ${due}` : "no lleva impuestos"}.`;
  return { isByRegime: true, found: { ...finding(`${at}.taxes`, due, got, message), kind: "wrong_tax" } };
}

/** A rate of nothing charges nothing, and what a bag pays in a year may be news to a register. */
function namesOf(taxes: readonly { code: string; name: string | null; rate: number | null }[]): string {
  return taxes
    .filter(({ rate }) => rate !== 0)
    .map(
      ({ code, rate }) =>
        `${taxNames[code] ?? `el impuesto ${code}`}${rate === null ? "" : ` del ${String(rate).replace(".", ",")} %`}`,
    )
    .toSorted()
    .join(" e ");
}
const taxNames: Record<string, string> = { "01": "IVA", "03": "ICA", "04": "INC", "22": "INC de bolsas" };

/** How the business charges, as its registers were told last, and since which change. */
async function readTold({ write }: WorkingSet): Promise<{ regime: Regime | undefined; seq: number }> {
  const { rows } = await write.client.query<{ seq: number; info: string | null }>(sql`
    select seq, info::text as info from counter_settings where account_id = ${write.accountId}`);
  const [row] = rows;
  if (!row?.info) return { regime: undefined, seq: 0 };
  return { regime: ((JSON.parse(row.info) as BusinessInfo).regime as Regime | null) ?? "iva", seq: row.seq };
}
