/** What an entry may be about, by the detail that names it. The first that an entry has is the one that it links to. */
const kinds = {
  sale_id: "sale",
  invoice_id: "invoice",
  product_id: "product",
  customer_id: "customer",
  api_key_id: "api_key",
  endpoint_id: "webhook_endpoint",
  device_id: "register",
} as const;

export type AuditedKind = (typeof kinds)[keyof typeof kinds];
export const auditedKinds: readonly AuditedKind[] = Object.values(kinds);

export interface AuditedRecord {
  object: AuditedKind;
  id: string;
}

export function recordOf(details: Record<string, unknown>): AuditedRecord | null {
  for (const [name, object] of Object.entries(kinds)) {
    const id = details[name];
    if (typeof id === "string") return { object, id };
  }
  return null;
}
