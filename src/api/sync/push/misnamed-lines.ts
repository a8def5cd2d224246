import type { Sale, SaleItem } from "../../../business/sales/schema.ts";
import { sql } from "../../../db/sql.ts";
import { revisionOf } from "../../../engine/resources/revisions.ts";
import { foldText, keyLookup, queryNgrams } from "../../../engine/search/search-text.ts";
import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import { grouped } from "../../../taxes/words.ts";
import { readHeard } from "./heard.ts";
import type { Incoming } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

interface Charged {
  record: Incoming;
  sale: { body: Sale };
}

type Product = NonNullable<ReturnType<WorkingSet["recordSets"]["products"]["get"]>>;

/** A line whose words are not its product's, and may be another's. */
interface Suspect {
  record: Incoming;
  item: SaleItem;
  at: number;
  /** The whole of it, and without the variant or the pack behind it. */
  names: string[];
  /** Undefined for a line of no product that costs nothing. */
  own: Product | undefined;
}

/** Names are looked up one by one: more of them in one push are no counter's. */
const mostNames = 20;
/** What stands behind the name of a product on a line of a counter. */
const behindName = " · ";

/**
 * Lines that say the name of another product of the shop than the one they sell, and lines of no product that give one away: what left the
 * shop and what it cost are not what the ticket says. A name that was the product's own, and any other words, are nobody's fault: the
 * register must have known whose name it is, since it was in touch after it was given.
 */
export async function misnamedLines(batch: WorkingSet, charged: readonly Charged[]): Promise<Map<Incoming, Finding[]>> {
  const suspects = charged.flatMap(({ record, sale }) => suspectsIn(batch, record, sale.body));
  const found = new Map<Incoming, Finding[]>();
  if (suspects.length === 0) return found;
  const holders = await holdersOf(batch, [...new Set(suspects.flatMap(({ names }) => names))].slice(0, mostNames));
  const meant = suspects.flatMap((suspect) => {
    const other = suspect.names.flatMap((name) => holders.get(name) ?? []).find((one) => isOther(suspect, one));
    return other ? [{ ...suspect, other, since: knownSince(suspect, other), time: timeOf(batch, suspect.record) }] : [];
  });
  if (meant.length === 0) return found;
  const hadHeard = await readHeard(
    batch.write,
    batch.deviceId,
    meant.map(({ since }) => since),
    meant.map(({ time }) => time),
  );
  for (const one of meant) {
    if (!hadHeard(one.since, one.time)) continue;
    found.set(one.record, [...(found.get(one.record) ?? []), aboutLine(one, one.other)]);
  }
  return found;
}

function suspectsIn({ recordSets }: WorkingSet, record: Incoming, { items }: Sale): Suspect[] {
  return items.flatMap((item, at) => {
    const { product_id, quantity, unit_price } = item;
    const own = recordSets.products.get(product_id ?? "");
    const said = item.description ?? "";
    const names = [...new Set([said, said.split(behindName)[0] ?? ""].map(foldText))].filter((one) => one.length > 2);
    const isGift = product_id === null && unit_price === 0 && quantity > 0;
    const isOwn = own !== undefined && names.includes(foldText(own.body.name));
    return isGift || (own && !isOwn) ? [{ record, item, at, names, own }] : [];
  });
}

/** Products of exactly these names. */
async function holdersOf({ write, recordSets }: WorkingSet, names: readonly string[]): Promise<Map<string, Product[]>> {
  const ids = new Map<string, string[]>();
  for (const name of names) {
    const { keys } = keyLookup(write.accountId, queryNgrams(name));
    const { rows } = await write.client.query<{ id: string }>(sql`
      select id from products where account_id = ${write.accountId} and deleted_at is null
        and search_keys @> ${keys}::int[] and search = ${name} order by id limit 5`);
    ids.set(
      name,
      rows.map(({ id }) => id),
    );
  }
  await recordSets.products.load([...ids.values()].flat());
  const stillCalled = (name: string, id: string) => {
    const product = recordSets.products.get(id);
    return product && foldText(product.body.name) === name ? [product] : [];
  };
  return new Map([...ids].map(([name, some]) => [name, some.flatMap((id) => stillCalled(name, id))]));
}

/** A gift is only one if it has a price. */
const isOther = ({ own }: Suspect, { body }: Product): boolean =>
  own === undefined ? body.final_price > 0 : body.id !== own.body.id;

/** The last change that made it another product's name, or gave that a price. */
function knownSince({ own }: Suspect, other: Product): number {
  const seqOf = (product: Product, unit: string) => revisionOf(product.tracking?.revisions ?? {}, unit)[0];
  return own
    ? Math.max(seqOf(own, "name"), seqOf(other, "name"))
    : Math.max(...["name", "prices"].map((unit) => seqOf(other, unit)));
}

const timeOf = ({ times }: WorkingSet, record: Incoming): number =>
  times.judgedAt(record, { right: "price", at: record.editedAt, amount: null });

function aboutLine({ item, at, own }: Suspect, { body }: Product): Finding {
  const said = item.description;
  const found = own
    ? finding(
        `items[${at}].description`,
        own.body.name,
        said,
        `Una línea dice «${said}», que es otro producto, y vendió «${own.body.name}».`,
      )
    : finding(
        `items[${at}].unit_price`,
        body.final_price,
        0,
        `Una línea libre regaló «${said}», que en el catálogo vale $${grouped(body.final_price)}.`,
      );
  return { ...found, kind: "misnamed_line" };
}
