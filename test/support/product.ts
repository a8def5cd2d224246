import { expect } from "vitest";
import type { ApiClient } from "./client.ts";

/** Creates a product through the API, with a default name and price. */
export async function newProduct(api: ApiClient, input: object = {}) {
  const { status, body, text } = await api.post("/products", { name: "Gaseosa", base_price: 1000, ...input });
  expect(status, text).toBe(201);
  return body;
}

/** The prices of a product or variant: list, final, discount. */
export function prices(body: { base_price: number; final_price: number; percent_discount: number }): number[] {
  return [body.base_price, body.final_price, body.percent_discount];
}

/** The events of a business, oldest first. */
export async function eventsOf(api: ApiClient) {
  const { body } = await api.get("/events?order=asc&limit=100");
  return body.data as { type: string; data: { object: { id: string } } }[];
}
