import { cashSessions } from "../../src/business/cash-sessions/resource.ts";
import { categories } from "../../src/business/categories/resource.ts";
import { customers } from "../../src/business/customers/resource.ts";
import { newEntry, stockMovements, warehouses } from "../../src/business/inventory/resource.ts";
import { invoices } from "../../src/business/invoices/resource.ts";
import { newLedger } from "../../src/business/products/ledger.ts";
import { products } from "../../src/business/products/resource.ts";
import { purchases } from "../../src/business/purchases/resource.ts";
import type { Purchase } from "../../src/business/purchases/schema.ts";
import { quotes } from "../../src/business/quotes/resource.ts";
import { sales } from "../../src/business/sales/resource.ts";
import { suppliers } from "../../src/business/suppliers/resource.ts";
import type { Supplier } from "../../src/business/suppliers/schema.ts";
import { sql } from "../../src/db/sql.ts";
import { transaction } from "../../src/db/transaction.ts";
import { eventTypes } from "../../src/engine/events/event-types.ts";
import { recordEvents } from "../../src/engine/events/record-event.ts";
import type { Write } from "../../src/engine/writing/write.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { refreshFansOut } from "../../src/webhooks/endpoints/store.ts";
import { sampleRecord } from "../suites/samples.ts";
import { openPortal, type Portal } from "../support/portal.ts";
import {
  cashMovementBody,
  cashSessionBody,
  categoryBody,
  customerBody,
  invoiceBody,
  movementBody,
  productBody,
  quoteBody,
  quoteItemBody,
  saleBody,
  saleItemBody,
  variantBody,
  warehouseBody,
} from "../support/records.ts";
import { enrol, type Till } from "../support/register.ts";
import type { Service } from "../support/service.ts";

/** One of two shops whose records have the same ids and different texts. */
export interface TwinShop {
  accountId: string;
  /** A marker in every text that this shop wrote. */
  marker: string;
  foreignMarker: string;
  key: string;
  keyId: string;
  portal: Portal;
  tills: Till[];
  /** Ids that only this shop has, for the other to try. */
  ownIds: string[];
}

export interface Twins {
  shops: [TwinShop, TwinShop];
  /** Ids that both have, those of one or the other, and those of nobody. */
  ids: string[];
  /** By the path of the public list. */
  sharedIds: Record<string, string[]>;
  /** The same, by the field that names such a record. */
  byField: Record<string, string[]>;
  endpointIds: string[];
  deliveryIds: string[];
  eventIds: string[];
}

interface History {
  /** When it happened; the ids of events and deliveries contain it too. */
  at: Date;
  endpointIds: string[];
  eventIds: string[];
  deliveryIds: string[];
}

const perKind = 4;
const lists = [
  "/customers",
  "/categories",
  "/products",
  "/sales",
  "/invoices",
  "/inventory/movements",
  "/warehouses",
  "/cash-sessions",
  "/quotes",
  "/suppliers",
  "/purchases",
];

/** Registers choose the ids of what they upload, so two accounts may have a record of the same id. */
export async function twinShops(service: Service, tillsEach = 2): Promise<Twins> {
  const shops = (await Promise.all(["a", "b"].map((letter) => newShop(service, letter, tillsEach)))) as Twins["shops"];
  const sharedIds = Object.fromEntries(lists.map((path, i) => [path, range(perKind, (n) => sharedId(i + 1, n))]));
  const endpointIds = range(3, (n) => sharedId(50, n));
  const at = service.deps.clock.now();
  const history: History = {
    at,
    endpointIds,
    eventIds: range(4, () => uuidv7(at)),
    deliveryIds: range(4, () => uuidv7(at)),
  };
  const { deliveryIds, eventIds } = history;
  for (const shop of shops) {
    await addEndpoints(service, shop, endpointIds);
    await fill(service, shop);
    await addHistory(service, shop, history);
  }
  const byField = {
    customer_id: sharedIds["/customers"]!,
    category_id: sharedIds["/categories"]!,
    product_id: sharedIds["/products"]!,
    warehouse_id: sharedIds["/warehouses"]!,
    sale_id: sharedIds["/sales"]!,
    cash_session_id: sharedIds["/cash-sessions"]!,
    supplier_id: sharedIds["/suppliers"]!,
  };
  const nobody = [
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-7fff-bfff-ffffffffffff",
    "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c25",
  ];
  const ids = [
    ...Object.values(sharedIds).flat(),
    ...endpointIds,
    ...deliveryIds,
    ...eventIds,
    ...shops.flatMap(({ ownIds }) => ownIds),
    ...nobody,
  ];
  return { shops, ids, sharedIds, byField, endpointIds, deliveryIds, eventIds };
}

async function newShop(service: Service, letter: string, tillsEach: number): Promise<TwinShop> {
  const portal = await openPortal(service);
  const { accountId } = portal;
  const marker = `marca${letter}7q`;
  const foreignMarker = `marca${letter === "a" ? "b" : "a"}7q`;
  const { pool } = service.deps;
  await pool.query(sql`update accounts set name = ${marker} where id = ${accountId}`);
  await pool.query(sql`update api_keys set name = ${marker} where account_id = ${accountId}`);
  const tills: Till[] = [];
  for (let i = 0; i < tillsEach; i++) tills.push(await enrol(service, accountId, { name: `${marker} ${i}` }));
  const { rows } = await pool.query<{ id: string }>(
    sql`select id from portal_sessions where account_id = ${accountId}`,
  );
  const { key, keyId } = portal.business;
  const ownIds = [accountId, keyId, ...tills.map(({ deviceId }) => deviceId), ...rows.map(({ id }) => id)];
  return { accountId, marker, foreignMarker, key, keyId, portal, tills, ownIds };
}

function sharedId(kind: number, n: number): string {
  return `${String(kind).padStart(8, "0")}-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

function range<T>(length: number, make: (n: number) => T): T[] {
  return Array.from({ length }, (_, n) => make(n));
}

/** A supplier and what was bought from him, of which nothing came yet. */
function buy(write: Write, n: number, marker: string): void {
  const at = write.at.toISOString();
  const supplier = { name: `${marker} ${n}`, document_number: null, external_id: `${marker}-${n}` };
  const [supplierId, productId] = [sharedId(10, n), sharedId(3, n)];
  write.put(suppliers, sampleRecord(suppliers, at, { ...supplier, id: supplierId }) as { body: Supplier });
  const { body } = sampleRecord(purchases, at) as { body: Purchase };
  const lines = body.lines.map((line) => ({ ...line, product_id: productId, received: 0, returned: 0 }));
  const nothing = { status: "ordered" as const, lines, receipts: [], owed: 0, paid: 0, external_id: `${marker}-${n}` };
  const own = {
    id: sharedId(11, n),
    supplier_id: supplierId,
    supplier_name: supplier.name,
    warehouse_id: sharedId(7, n),
  };
  write.put(purchases, { body: { ...body, ...nothing, ...own } });
}

async function fill(service: Service, shop: TwinShop): Promise<void> {
  const { marker } = shop;
  const word = (n: number) => `${marker} ${n}`;
  for (let n = 0; n < perKind; n++) {
    const id = (kind: number) => sharedId(kind, n);
    await writing(service.deps, shop.accountId, (write) => {
      const at = write.at.toISOString();
      const customer = customerBody(at, {
        id: id(1),
        name: word(n),
        last_name: marker,
        email: `${n}@${marker}.co`,
        phone: "300",
        document_number: word(n),
      });
      const category = categoryBody(at, { id: id(2), name: word(n), description: marker });
      const variant = variantBody(at, id(3), { id: sharedId(30, n), label: word(n), sku: `${marker}-v${n}` });
      const product = productBody(at, {
        id: id(3),
        name: word(n),
        description: marker,
        sku: `${marker}-${n}`,
        category_id: id(2),
        ...(n === 1 && { variants: [variant] }),
      });
      const lines = { description: word(n), product_id: id(3) };
      const sale = saleBody(at, {
        id: id(4),
        customer_id: id(1),
        notes: word(n),
        items: [saleItemBody({ id: sharedId(40, n), ...lines })],
      });
      const invoice = invoiceBody(at, { id: id(5), sale_id: id(4), dian_message: word(n), prefix: marker });
      const movement = movementBody(at, { id: id(6), product_id: id(3), reason: word(n), reference: marker });
      const warehouse = warehouseBody(at, { id: id(7), name: word(n), address: marker, is_default: n === 0 });
      const session = cashSessionBody(at, {
        id: id(8),
        register_name: word(n),
        movements: [cashMovementBody(at, id(8), { id: sharedId(80, n), reason: word(n) })],
      });
      const quote = quoteBody(at, {
        id: id(9),
        customer_name: word(n),
        notes: marker,
        items: [quoteItemBody({ id: sharedId(90, n), ...lines })],
      });
      write.put(customers, { body: customer });
      write.put(categories, { body: category });
      write.put(products, { body: product, ...newLedger(0) });
      write.put(sales, { body: sale });
      write.put(invoices, { body: invoice });
      write.put(stockMovements, newEntry(movement, { from_api: false }));
      write.put(warehouses, { body: warehouse });
      write.put(cashSessions, { body: session });
      write.put(quotes, { body: quote });
      buy(write, n, marker);
      write.emit("customer.created", customer);
      write.emit("sale.created", sale);
      write.emit("product.created", product);
    });
  }
  const { rows } = await service.deps.pool.query<{ id: string }>(
    sql`select id from events where account_id = ${shop.accountId} order by id limit 6`,
  );
  shop.ownIds.push(...rows.map(({ id }) => id));
}

async function addEndpoints({ deps }: Service, shop: TwinShop, ids: readonly string[]): Promise<void> {
  const { accountId, marker } = shop;
  const now = deps.clock.now();
  const box = secretBox(deps.config.secretKey);
  await transaction(deps.pool, async (client) => {
    for (const [n, id] of ids.entries()) {
      await client.query(sql`
        insert into webhook_endpoints (account_id, id, url, event_types, status, secret, created_at, updated_at)
        values (${accountId}, ${id}, ${`https://${marker}.com.co/${n}`}, ${[...eventTypes]}, 'active',
          ${box.seal(`whsec_${marker}`, id)}, ${now}, ${now})
        on conflict do nothing`);
    }
    await refreshFansOut(client, accountId);
  });
}

/** Events and ended deliveries of the same ids in both shops, and a record each that could not be read. */
async function addHistory({ deps }: Service, shop: TwinShop, history: History): Promise<void> {
  const { accountId, marker, tills } = shop;
  const { at, endpointIds, eventIds, deliveryIds } = history;
  const customer = customerBody(at.toISOString(), { name: marker });
  const events = eventIds.map((id) => ({
    accountId,
    id,
    type: "customer.created" as const,
    objectText: JSON.stringify(customer),
    seq: 1,
    sequence: 1,
    at,
    createdAt: at.toISOString(),
    requestId: undefined,
    objectId: customer.id,
    locationId: undefined,
    follows: false,
  }));
  await deps.partitions.ensure(at);
  await deps.pool.query(recordEvents(events));
  for (const [n, id] of deliveryIds.entries()) {
    const attempts = [{ at, status: 500, failure: "status", duration_ms: 3, note: marker }];
    await deps.pool.query(sql`
      insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts)
      values (${accountId}, ${at}, ${id}, ${endpointIds[n % endpointIds.length]!}, ${eventIds[n]!}, 'customer.created',
        false, 'failed', ${JSON.stringify(attempts)})`);
  }
  await tills[0]!.push([{ type: "customer", data: { name: 5, note: marker } }]);
}

/** Restores the endpoints that were deleted meanwhile. */
export async function restoreEndpoints(service: Service, { shops, endpointIds }: Twins): Promise<void> {
  for (const shop of shops) {
    await service.deps.pool.query(
      sql`delete from webhook_endpoints where account_id = ${shop.accountId} and not (id = any(${[...endpointIds]}::uuid[]))`,
    );
    await addEndpoints(service, shop, endpointIds);
  }
}
