import type { Session } from "../../../access/people/session.ts";
import { customers } from "../../../business/customers/resource.ts";
import type { Customer } from "../../../business/customers/schema.ts";
import type { Invoice } from "../../../business/invoices/schema.ts";
import { products } from "../../../business/products/resource.ts";
import type { Product } from "../../../business/products/schema.ts";
import type { Quote } from "../../../business/quotes/schema.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import { sql } from "../../../db/sql.ts";
import type { ServedDeps } from "../../../deps.ts";
import type { ListSpec } from "../../../engine/resources/list-spec.ts";
import { readList } from "../../../engine/resources/read-list.ts";
import { foldText } from "../../../engine/search/search-text.ts";
import { lineText } from "../../../lib/one-line.ts";

/** A record that a search found, with what it takes to recognize it. */
export type Found =
  | ({ kind: "product" } & Pick<Product, "id" | "name" | "sku" | "final_price" | "active">)
  | ({ kind: "customer" } & Pick<Customer, "id" | "name" | "last_name" | "document_number" | "email" | "phone">)
  | ({ kind: "sale" } & Pick<Sale, "id" | "total" | "status" | "occurred_at">)
  | ({ kind: "document" } & Pick<
      Invoice,
      "id" | "document_type" | "status" | "prefix" | "number" | "total" | "sale_id" | "issued_at"
    >)
  | ({ kind: "quote" } & Pick<Quote, "id" | "prefix" | "number" | "status" | "customer_name" | "total">);

/** Of each kind. Whoever does not find it among these types one more word. */
const perKind = 5;

interface Place {
  accountId: string;
  /** Null for all of them. */
  sedes: string[] | null;
}

/** Within the sedes of whoever asks: what she may not see takes no place. */
export async function find(
  deps: ServedDeps,
  { accountId, locationIds }: Pick<Session, "accountId" | "locationIds">,
  q: string,
): Promise<Found[]> {
  const folded = foldText(q);
  if (folded === "") return [];
  const place: Place = { accountId, sedes: locationIds === null ? null : [...locationIds] };
  const found = await Promise.all([
    findProducts(deps, accountId, q),
    findCustomers(deps, accountId, q),
    findByPaper(deps, place, folded),
    findById(deps, place, folded),
  ]);
  const seen = new Set<string>();
  return found.flat().filter(({ id }) => !seen.has(id) && seen.add(id));
}

async function findProducts(deps: ServedDeps, accountId: string, q: string): Promise<Found[]> {
  const code = lineText(q);
  const byCode = sql`
    select body from products
    where account_id = ${accountId} and deleted_at is null
      and (skus @> array[${code}]::text[] or (barcodes <> '{}' and barcodes @> array[${code}]::text[])) limit ${perKind}`;
  const [exact, named] = await Promise.all([
    deps.pool.query<{ body: string }>(byCode),
    listed(deps, accountId, products, q),
  ]);
  return [...exact.rows.map(({ body }) => body), ...named].map((text): Found => {
    const { id, name, sku, final_price, active } = JSON.parse(text) as Product;
    return { kind: "product", id, name, sku, final_price, active };
  });
}

async function findCustomers(deps: ServedDeps, accountId: string, q: string): Promise<Found[]> {
  return (await listed(deps, accountId, customers, q)).map((text): Found => {
    const { id, name, last_name, document_number, email, phone } = JSON.parse(text) as Customer;
    return { kind: "customer", id, name, last_name, document_number, email, phone };
  });
}

/** By the same keys as `q` of the lists. */
async function listed(deps: ServedDeps, accountId: string, spec: ListSpec, q: string): Promise<string[]> {
  const { table, conditions } = spec;
  const own = conditions({ q } as never, deps.clock.now(), accountId);
  const page = await readList(deps, { table, accountId, conditions: own, order: "desc", limit: perKind });
  return page.rows.map(([, , , body]) => body);
}

/** Documents and quotes by the number printed on them, with or without its prefix, and documents by their CUFE. */
async function findByPaper({ pool }: ServedDeps, { accountId, sedes }: Place, folded: string): Promise<Found[]> {
  const numbered = numberIn(folded);
  const cufe = /^[0-9a-f]{8,96}$/.test(folded) ? folded : undefined;
  const [invoices, quotes] = await Promise.all([
    numbered || cufe !== undefined
      ? pool.query<{ body: string }>(sql`
          select body from (
            select body, created_at, id from invoices
            where account_id = ${accountId} and body ->> 'number' = ${numbered?.number ?? null}
              and (${sedes}::uuid[] is null or coalesce(location_id, account_id) = any(${sedes}::uuid[]))
              and (${numbered?.prefix ?? ""} = '' or lower(body ->> 'prefix') = ${numbered?.prefix ?? ""})
            union all
            select body, created_at, id from invoices
            where account_id = ${accountId} and body ->> 'cufe' is not null and left(body ->> 'cufe', 96) like ${cufe ? `${cufe}%` : null}
              and (${sedes}::uuid[] is null or coalesce(location_id, account_id) = any(${sedes}::uuid[]))
          ) as found order by created_at desc, id desc limit ${perKind}`)
      : undefined,
    numbered
      ? pool.query<{ body: string }>(sql`
          select body from quotes
          where account_id = ${accountId} and body ->> 'number' = ${numbered.number} and deleted_at is null
            and (${sedes}::uuid[] is null or coalesce(location_id, account_id) = any(${sedes}::uuid[]))
            and (${numbered.prefix} = '' or lower(body ->> 'prefix') = ${numbered.prefix})
          order by created_at desc, id desc limit ${perKind}`)
      : undefined,
  ]);
  return [
    ...(invoices?.rows ?? []).map(({ body }) => foundDocument(body)),
    ...(quotes?.rows ?? []).map(({ body }) => foundQuote(body)),
  ];
}

/** "EPOS 120", "EPOS-120", "epos120", "FE1 20" or "120". */
function numberIn(folded: string): { prefix: string; number: string } | undefined {
  const match = /^#?(?:([a-z0-9]{1,10})[\s-]+|([a-z0-9]*[a-z]))?0*(\d{1,10})$/.exec(folded);
  return match ? { prefix: match[1] ?? match[2] ?? "", number: match[3]! } : undefined;
}

/** Sales, documents and quotes by the start of their id. */
async function findById({ pool }: ServedDeps, { accountId, sedes }: Place, folded: string): Promise<Found[]> {
  const hex = folded.replaceAll("-", "");
  if (!/^[0-9a-f]{8,32}$/.test(hex)) return [];
  const [first, last] = [hex.padEnd(32, "0"), hex.padEnd(32, "f")];
  const { rows } = await pool.query<{ kind: "sale" | "document" | "quote"; body: string }>(sql`
    (select 'sale' as kind, body from sales
      where account_id = ${accountId} and id between ${first}::uuid and ${last}::uuid
        and (${sedes}::uuid[] is null or coalesce(location_id, account_id) = any(${sedes}::uuid[]))
      order by id desc limit ${perKind})
    union all
    (select 'document', body from invoices
      where account_id = ${accountId} and id between ${first}::uuid and ${last}::uuid
        and (${sedes}::uuid[] is null or coalesce(location_id, account_id) = any(${sedes}::uuid[]))
      order by id desc limit ${perKind})
    union all
    (select 'quote', body from quotes
      where account_id = ${accountId} and id between ${first}::uuid and ${last}::uuid and deleted_at is null
        and (${sedes}::uuid[] is null or coalesce(location_id, account_id) = any(${sedes}::uuid[]))
      order by id desc limit ${perKind})`);
  return rows.map(({ kind, body }) =>
    kind === "sale" ? foundSale(body) : kind === "quote" ? foundQuote(body) : foundDocument(body),
  );
}

function foundSale(text: string): Found {
  const { id, total, status, occurred_at } = JSON.parse(text) as Sale;
  return { kind: "sale", id, total, status, occurred_at };
}

function foundDocument(text: string): Found {
  const { id, document_type, status, prefix, number, total, sale_id, issued_at } = JSON.parse(text) as Invoice;
  return { kind: "document", id, document_type, status, prefix, number, total, sale_id, issued_at };
}

function foundQuote(text: string): Found {
  const { id, prefix, number, status, customer_name, total } = JSON.parse(text) as Quote;
  return { kind: "quote", id, prefix, number, status, customer_name, total };
}
