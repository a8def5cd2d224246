import type { Access } from "../access/api-keys/access-cache.ts";
import type { Tool } from "./tool.ts";
import { changePrice } from "./tools/change-price.ts";
import { createCustomer, findCustomer, updateCustomer } from "./tools/customers.ts";
import { daySummary } from "./tools/day-summary.ts";
import { searchDocs } from "./tools/docs.ts";
import { explainRejection, unissuedDocuments } from "./tools/documents.ts";
import { recentEvents } from "./tools/events.ts";
import { cancelOrder, createOrder, showOrder, waitingOrders } from "./tools/orders.ts";
import { findProduct, lowStock } from "./tools/products.ts";
import { findSale } from "./tools/sales.ts";
import { adjustStock } from "./tools/stock.ts";

/** Every task an assistant can do, in the order in which it is offered. A new one is a line here and a file beside the others. */
export const allTools: readonly Tool[] = [
  daySummary,
  findProduct,
  findSale,
  findCustomer,
  lowStock,
  unissuedDocuments,
  explainRejection,
  waitingOrders,
  showOrder,
  recentEvents,
  searchDocs,
  createCustomer,
  updateCustomer,
  changePrice,
  adjustStock,
  createOrder,
  cancelOrder,
];

const listed = allTools.map((tool) => ({ tool, listed: asListed(tool) }));

/** Those that the key may use: the rest would only be tried in vain. */
export function toolsFor({ scopes }: Access): { tool: Tool; listed: ReturnType<typeof asListed> }[] {
  return listed.filter(({ tool }) => tool.scopes.every((scope) => scopes.has(scope)));
}

function asListed({ name, title, description, input, writes }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: plainSchema(input) as { type: "object" },
    annotations: {
      title,
      readOnlyHint: writes === undefined,
      destructiveHint: writes?.destroys ?? false,
      // A confirmation does its change once, however often it is sent.
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

/** Without the keywords that only this service knows. */
function plainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (typeof schema !== "object" || schema === null) return schema;
  const known = Object.entries(schema).filter(([name]) => !name.startsWith("x-"));
  return Object.fromEntries(known.map(([name, value]) => [name, plainSchema(value)]));
}
