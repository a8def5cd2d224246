import type { Static } from "typebox";
import { ordersCapability } from "../../business/orders/resource.ts";
import { productCodes } from "../../business/products/barcodes.ts";
import { type ResourceName, resources } from "../../business/registry.ts";
import { ownFieldsCapability } from "../../engine/resources/own-fields.ts";
import { Type } from "../../lib/schema.ts";

/** Schemas of /sync/v1. Unknown fields are ignored. */

export const syncPrefix = "/sync/v1";
export const syncBodyLimitBytes = 1024 * 1024;
export const maxRecordsPerPush = 200;
/** Far more than any sale needs. Larger records are quarantined, cut to this size. */
export const maxRecordBytes = 256 * 1024;
/** The largest published record that several uploads may add up to. */
export const maxStoredBytes = 1024 * 1024;

const shortText = Type.String({ maxLength: 200 });
const capabilities = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 });

export const EnrolBody = Type.Object({
  code: Type.String({ maxLength: 100 }),
  name: Type.Optional(Type.String({ maxLength: 120 })),
  app_version: Type.Optional(shortText),
  capabilities: Type.Optional(capabilities),
});

/** Checks only what the whole push depends on. An unreadable record is quarantined, not rejected. */
export const PushBody = Type.Object({
  sent_at: Type.Optional(Type.String({ format: "date-time" })),
  app_version: Type.Optional(shortText),
  capabilities: Type.Optional(capabilities),
  records: Type.Array(Type.Object({ device_seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }), {
    maxItems: maxRecordsPerPush,
  }),
});
export type PushBody = Static<typeof PushBody>;
export type RawRecord = PushBody["records"][number];

export const ChangesQuery = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 500 })),
  wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 25, default: 0 })),
});

/**
 * What a register may upload: every resource, the deletion of a single variant, the wish to mail a ticket or to have it invoiced, and
 * what else happened at the counter.
 */
const besideResources = ["product_variant", "ticket_mail", "counter_act", "sale_invoice"] as const;
/** Only the owner changes these. A register is told what concerns it with the business, and nothing of what is bought. */
const ownersResources = ["location", "supplier", "purchase"] as const satisfies readonly ResourceName[];
type OwnersResource = (typeof ownersResources)[number];
export type RecordType = Exclude<ResourceName, OwnersResource> | (typeof besideResources)[number];
export const isUploaded = (name: ResourceName): name is Exclude<ResourceName, OwnersResource> =>
  !(ownersResources as readonly ResourceName[]).includes(name);
export const recordTypes: readonly RecordType[] = [
  ...resources.map(({ name }) => name).filter(isUploaded),
  ...besideResources,
];

export type PushStatus = "applied" | "duplicate" | "merged" | "parked" | "quarantined";

export interface PushResult {
  device_seq: number;
  status: PushStatus;
  code: string | null;
  record: unknown;
}

/** What this service takes from registers besides the plain records: they read it before they offer it to a cashier. */
export const accepted = [
  ...["return.1", "ticket_mail.1", "stock.1", "sales.1", "sale_invoice.1", "counter_act.1", productCodes],
  ordersCapability,
  ownFieldsCapability,
];
/** Caja of an earlier version no longer speaks this protocol; it tells the cashier to reload it. */
export const oldestCaja = "1.0.0";
