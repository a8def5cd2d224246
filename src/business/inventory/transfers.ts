import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { Stored } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { ApiError, referenceNotFound, validationError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { must } from "../../lib/must.ts";
import type { ProductLedger } from "../products/ledger.ts";
import { products } from "../products/resource.ts";
import type { Product } from "../products/schema.ts";
import { requireMovable } from "./create-movement.ts";
import { findWarehouse } from "./find-warehouse.ts";
import { recordMovement } from "./record-movement.ts";
import { warehouses } from "./resource.ts";

/** On its way; arrived whole; arrived with less, which waits; and what was missing is explained. */
export const transferStates = ["sent", "short", "received", "settled"] as const;
export type TransferState = (typeof transferStates)[number];

/** What became of the goods that did not arrive: they are gone, or they are back where they came from. */
export const settlements = ["lost", "returned"] as const;
export type Settlement = (typeof settlements)[number];

interface Place {
  warehouse_id: string;
  name: string;
  /** Null: it is of the whole business. */
  location_id: string | null;
}

export interface TransferLine {
  product_id: string;
  name: string;
  base_unit: string;
  sent: number;
  received: number;
  /** Of what did not arrive, what was explained. */
  settled: number;
  /** The movement that took it out, and those that brought it in. */
  out_id: string;
  in_ids: string[];
}

/** Goods that go from one warehouse to another. What is on its way is in neither. */
export interface Transfer {
  object: "stock_transfer";
  id: string;
  number: number;
  state: TransferState;
  from: Place;
  to: Place;
  note: string | null;
  lines: TransferLine[];
  received_at: string | null;
  settled_as: Settlement | null;
  settled_note: string | null;
  created_at: string;
  updated_at: string;
}

export interface Quantity {
  product_id: string;
  quantity: number;
}

export interface NewTransfer {
  from_warehouse_id: string;
  to_warehouse_id: string;
  note?: string | null | undefined;
  lines: readonly Quantity[];
}

export const nameOf = ({ number }: Pick<Transfer, "number">): string => `Traslado ${number}`;

/** In thousandths, because 0.3 − 0.1 is not 0.2. */
const minus = (...[first = 0, ...others]: number[]): number =>
  others.reduce((left, one) => left - Math.round(one * 1000), Math.round(first * 1000)) / 1000;

/** Of a line, what is on its way. */
export const leftOf = ({ sent, received, settled }: TransferLine): number => minus(sent, received, settled);

/** Takes the goods out of one warehouse. Between two of one sede they arrive at once; otherwise the other sede receives them. */
export async function sendTransfer(write: Write, input: NewTransfer): Promise<Transfer> {
  requireDistinct(input.lines);
  const from = await placeOf(write, input.from_warehouse_id, "from_warehouse_id");
  const to = await placeOf(write, input.to_warehouse_id, "to_warehouse_id");
  if (from.warehouse_id === to.warehouse_id)
    throw validationError([{ param: "to_warehouse_id", message: "Es la misma bodega. Escoja a cuál va." }]);
  const { rows } = await write.client.query<{ next: number }>(sql`
    select coalesce(max(number), 0) + 1 as next from stock_transfers where account_id = ${write.accountId}`);
  const number = must(rows[0], "A maximum is a row").next;
  const at = write.at.toISOString();
  const move = moverOf(write);
  const lines: TransferLine[] = [];
  for (const [i, { product_id, quantity }] of input.lines.entries()) {
    const product = await write.load(products, product_id);
    if (!product || product.body.deleted_at) throw referenceNotFound(`lines.${i}.product_id`, "un producto");
    requireMovable(product.body, quantity, { product: `lines.${i}.product_id`, quantity: `lines.${i}.quantity` });
    const { id, name, base_unit } = product.body;
    const out_id = await move({ id, quantity, at: from, type: "transfer_out", number, words: `A ${to.name}` });
    lines.push({ product_id: id, name, base_unit, sent: quantity, received: 0, settled: 0, out_id, in_ids: [] });
  }
  const sent: Transfer = {
    ...{ object: "stock_transfer", id: uuidv7(write.at), number, state: "sent", from, to, note: input.note ?? null },
    ...{ lines, received_at: null, settled_as: null, settled_note: null, created_at: at, updated_at: at },
  };
  const isWithin = from.location_id === to.location_id;
  const body = isWithin
    ? await arrive(
        write,
        move,
        sent,
        lines.map(({ product_id, sent: quantity }) => ({ product_id, quantity })),
      )
    : sent;
  await write.client.query(sql`
    insert into stock_transfers (account_id, id, number, created_at, updated_at, state, from_location_id, to_location_id, body)
    values (${write.accountId}, ${body.id}, ${number}, ${write.at}, ${write.at}, ${body.state}, ${from.location_id},
      ${to.location_id}, ${JSON.stringify(body)})`);
  return body;
}

/** What arrived, and is in the other warehouse from now on. What is not named did not arrive, and may still. */
export async function receiveTransfer(write: Write, id: string, arrived: readonly Quantity[]): Promise<Transfer> {
  requireDistinct(arrived);
  const before = await openTransfer(write, id);
  return replace(write, before, await arrive(write, moverOf(write), before, arrived));
}

/** Says what became of what did not arrive, and ends the transfer. */
export async function settleTransfer(
  write: Write,
  id: string,
  { as, note }: { as: Settlement; note: string | null },
): Promise<Transfer> {
  const before = await openTransfer(write, id);
  if (before.state !== "short")
    throw new ApiError("CONFLICT", { message: "Todavía no lo han recibido. Primero se recibe lo que llegó." });
  const move = moverOf(write);
  const lines: TransferLine[] = [];
  for (const line of before.lines) {
    const left = leftOf(line);
    const ids =
      as === "returned" && left > 0
        ? [await move({ ...backTo(before), id: line.product_id, quantity: left, number: before.number })]
        : [];
    lines.push({ ...line, settled: minus(line.settled, -left), in_ids: [...line.in_ids, ...ids] });
  }
  const updated_at = write.at.toISOString();
  return replace(write, before, { ...before, lines, state: "settled", settled_as: as, settled_note: note, updated_at });
}

const backTo = ({ from, to }: Transfer) => ({ at: from, type: "transfer_in" as const, words: `No llegó a ${to.name}` });

async function arrive(write: Write, move: Mover, before: Transfer, arrived: readonly Quantity[]): Promise<Transfer> {
  const at = write.at.toISOString();
  const lines = new Map(before.lines.map((line) => [line.product_id, line]));
  for (const [i, { product_id, quantity }] of arrived.entries()) {
    const line = lines.get(product_id.toLowerCase());
    if (!line) throw referenceNotFound(`lines.${i}.product_id`, "un producto de este traslado");
    if (quantity > leftOf(line))
      throw validationError([
        {
          param: `lines.${i}.quantity`,
          message: `De «${line.name}» quedan ${leftOf(line)} por recibir. Si llegó más, regístrelo como entrada.`,
        },
      ]);
    if (quantity === 0) continue;
    const { to, from, number } = before;
    const words = `De ${from.name}`;
    const inId = await move({ id: line.product_id, quantity, at: to, type: "transfer_in", number, words });
    const received = minus(line.received, -quantity);
    lines.set(line.product_id, { ...line, received, in_ids: [...line.in_ids, inId] });
  }
  const all = [...lines.values()];
  const state = all.every((line) => leftOf(line) === 0) ? "received" : "short";
  return { ...before, lines: all, state, received_at: at, updated_at: at };
}

interface Move {
  id: string;
  quantity: number;
  at: Place;
  type: "transfer_out" | "transfer_in";
  number: number;
  words: string;
}

type Mover = (move: Move) => Promise<string>;

/** Records movements one after the other: a write does not see what it has put. */
function moverOf(write: Write): Mover {
  const moved = new Map<string, Stored<Product, ProductLedger>>();
  return async ({ id, quantity, at, type, number, words }) => {
    // One that has gone meanwhile still arrives: its ledger goes on.
    const product = moved.get(id) ?? (await write.load(products, id));
    if (!product) throw referenceNotFound("lines", "uno de los productos");
    const made = recordMovement(write, product, {
      warehouse_id: at.warehouse_id,
      location_id: at.location_id ?? write.accountId,
      ...{ type, quantity, unit_cost: null, reason: words, reference: nameOf({ number }), origin_type: "transfer" },
    });
    moved.set(id, made.product);
    made.emitCreated();
    return made.movement.id;
  };
}

async function placeOf(write: Write, id: string, param: string): Promise<Place> {
  const warehouse_id = await findWarehouse(write, id.toLowerCase()).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "NOT_FOUND") throw referenceNotFound(param, "una bodega");
    throw error instanceof ApiError ? new ApiError(error.code, { message: error.message, param }) : error;
  });
  const found = must(await write.load(warehouses, warehouse_id), "It was just found").body;
  const location_id = found.location_id === undefined ? write.accountId : found.location_id;
  return { warehouse_id, name: found.name, location_id };
}

async function openTransfer({ client, accountId }: Write, id: string): Promise<Transfer> {
  const transfer = await readTransfer(client, accountId, id);
  if (!transfer) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe este traslado en el negocio." });
  if (transfer.state === "sent" || transfer.state === "short") return transfer;
  throw new ApiError("CONFLICT", {
    message: `El ${nameOf(transfer).toLowerCase()} ya terminó: no queda nada por recibir.`,
  });
}

/** The last step of a write: what another one has changed meanwhile is not changed again. */
async function replace(write: Write, before: Transfer, after: Transfer): Promise<Transfer> {
  const { rowCount } = await write.client.query(sql`
    update stock_transfers set body = ${JSON.stringify(after)}, state = ${after.state}, updated_at = ${write.at}
    where account_id = ${write.accountId} and id = ${before.id} and state = ${before.state}
      and updated_at = ${before.updated_at}::timestamptz`);
  if (rowCount === 0)
    throw new ApiError("CONFLICT", { message: "Alguien más lo cambió mientras tanto. Ábralo de nuevo y revise." });
  return after;
}

export async function readTransfer(db: Queryable, accountId: string, id: string): Promise<Transfer | undefined> {
  const { rows } = await db.query<{ body: string }>(sql`
    select body from stock_transfers where account_id = ${accountId} and id = ${id.toLowerCase()}`);
  return rows[0] && (JSON.parse(rows[0].body) as Transfer);
}

function requireDistinct(lines: readonly Quantity[]): void {
  const seen = new Set<string>();
  for (const [i, { product_id }] of lines.entries()) {
    if (seen.has(product_id.toLowerCase()))
      throw validationError([
        { param: `lines.${i}.product_id`, message: "Este producto está dos veces. Deje una sola línea." },
      ]);
    seen.add(product_id.toLowerCase());
  }
}
