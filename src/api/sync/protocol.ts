import { type Static, Type } from "typebox";
import { type ResourceName, resources } from "../../business/registry.ts";

/** The shapes on the wire of /sync/v1. A register may send more than is read here: unknown fields are ignored. */

export const syncPrefix = "/sync/v1";
export const syncBodyLimitBytes = 1024 * 1024;
export const maxRecordsPerPush = 200;
/** No sale comes near it. What is larger is set aside, with so much of it as one record may take. */
export const maxRecordBytes = 256 * 1024;
/** What several uploads may make of one record together, as it is published. */
export const maxStoredBytes = 1024 * 1024;

const shortText = Type.String({ maxLength: 200 });
const capabilities = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 });

export const EnrolBody = Type.Object({
  code: Type.String({ maxLength: 100 }),
  name: Type.Optional(Type.String({ maxLength: 120 })),
  app_version: Type.Optional(shortText),
  capabilities: Type.Optional(capabilities),
});

/** Only what a whole push hangs on is checked here. A record that cannot be read is set aside, not refused. */
export const PushBody = Type.Object({
  sent_at: Type.Optional(Type.String({ format: "date-time" })),
  app_version: Type.Optional(shortText),
  capabilities: Type.Optional(capabilities),
  records: Type.Array(Type.Object({ device_seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }), {
    maxItems: maxRecordsPerPush,
  }),
});
export type PushBody = Static<typeof PushBody>;

export const ChangesQuery = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 500 })),
  wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 25, default: 0 })),
});

/** What a register may upload: every resource, and a variant on its own where it is taken away. */
export type RecordType = ResourceName | "product_variant";
export const recordTypes: readonly RecordType[] = [...resources.map(({ name }) => name), "product_variant"];

export type PushStatus = "applied" | "duplicate" | "merged" | "parked" | "quarantined";

export interface PushResult {
  device_seq: number;
  status: PushStatus;
  code: string | null;
  record: unknown;
}
