import type { Scope } from "../../engine/resources/scopes.ts";
import type { Right } from "./rights.ts";

/** What whoever makes a key must be allowed to do herself, for each permission of the key: the one place that says so. */
export const rightOfScope: Readonly<Record<Scope, Right>> = {
  "customers:read": "customers:read",
  "customers:write": "customers:write",
  "products:read": "products:read",
  "products:write": "products:write",
  "sales:read": "sales:read",
  "invoices:read": "documents:read",
  "inventory:read": "stock:read",
  "inventory:write": "stock:write",
  "cash:read": "shifts:read",
  "quotes:read": "sales:read",
  "orders:read": "orders:read",
  "orders:write": "orders:write",
  "suppliers:read": "purchases:read",
  "suppliers:write": "purchases:write",
  "purchases:read": "purchases:read",
  "purchases:write": "purchases:write",
  // An event has the record that it is about, and whoever attends integrations reads all of them.
  "events:read": "developers:read",
  "audit:read": "security",
  "clock:write": "developers:write",
};
