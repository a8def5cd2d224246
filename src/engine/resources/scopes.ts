/** The permissions of API keys. Permission to write does not include permission to read. */
export const scopes = [
  "customers:read",
  "customers:write",
  "products:read",
  "products:write",
  "sales:read",
  "invoices:read",
  "inventory:read",
  "inventory:write",
  "cash:read",
  "quotes:read",
  "orders:read",
  "orders:write",
  "suppliers:read",
  "suppliers:write",
  "purchases:read",
  "purchases:write",
  "events:read",
  "audit:read",
  "clock:write",
] as const;

export type Scope = (typeof scopes)[number];
export type ScopeArea = Scope extends `${infer Area}:${string}` ? Area : never;

/** The permission that a route of the area takes. A resource with operations needs `<area>:write` in the list above. */
export function scopeOf(area: ScopeArea, access: "read" | "write"): Scope {
  const scope = `${area}:${access}`;
  if (!isScope(scope)) throw new Error(`${scope} is missing in src/engine/resources/scopes.ts`);
  return scope;
}

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}
