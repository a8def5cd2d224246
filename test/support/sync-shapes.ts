import { Ajv } from "ajv";
import { addFormats } from "../../src/api/http/validation.ts";
import { recordTypes } from "../../src/api/sync/protocol.ts";

const uuid = { type: "string", format: "uuid" };
const instant = { type: "string", format: "date-time" };
const whole = { type: "integer", minimum: 0 };
const token = { type: "string", pattern: "^mstdev_[0-9A-Za-z]{38}$" };
const closed = (properties: Record<string, object>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** The responses to registers, by the last part of the path (`sale` for one that is named by its id), exactly as the synchronization page describes them. */
const shapes: Record<string, object> = {
  enrol: closed({ device_id: uuid, token, account_id: uuid, epoch: uuid, name: { type: "string" } }),
  token: closed({ token }),
  push: closed({
    server_time: instant,
    epoch: uuid,
    acked_seq: whole,
    results: {
      type: "array",
      items: closed({
        device_seq: whole,
        status: { enum: ["applied", "duplicate", "merged", "parked", "quarantined"] },
        code: { type: ["string", "null"] },
        record: { type: ["object", "null"] },
      }),
    },
  }),
  changes: closed({
    changes: {
      type: "array",
      items: closed({
        seq: whole,
        type: { enum: recordTypes },
        id: uuid,
        deleted: { type: "boolean" },
        data: { type: ["object", "null"] },
      }),
    },
    cursor: { type: "string" },
    has_more: { type: "boolean" },
    epoch: uuid,
    acked_seq: whole,
  }),
  stock: closed({
    levels: { type: "array", items: { type: "array", minItems: 3, maxItems: 3 } },
    cursor: { type: "string" },
    has_more: { type: "boolean" },
    acked_seq: whole,
    as_of: instant,
  }),
  sales: closed({
    sales: {
      type: "array",
      maxItems: 100,
      items: closed({
        id: uuid,
        status: { type: "string" },
        payment_method: { type: "string" },
        total: { type: "integer" },
        occurred_at: instant,
        ticket_number: { type: ["integer", "null"] },
        register: { type: ["string", "null"] },
        customer_name: { type: ["string", "null"] },
        description: { type: ["string", "null"] },
        means: { type: "array", items: { type: "string" } },
        documents: { type: "array", items: { type: "string" } },
        is_returned: { type: "boolean" },
      }),
    },
    cursor: { type: "string" },
    has_more: { type: "boolean" },
  }),
  sale: closed({
    sale: { type: "object" },
    ticket_number: { type: ["integer", "null"] },
    register: { type: ["string", "null"] },
    cashier: { type: ["string", "null"] },
    customer: { type: ["object", "null"] },
    payments: { type: ["array", "null"] },
    documents: { type: "array" },
    returns: { type: "array" },
    can_invoice: { type: "boolean" },
  }),
};

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strictTypes: false });
addFormats(ajv);
const validators = Object.fromEntries(Object.entries(shapes).map(([name, schema]) => [name, ajv.compile(schema)]));

/** Fails when a successful response is not as the protocol describes it. */
export function syncShape(target: string, text: string): void {
  const path = target.split("?")[0]!;
  const name = /\/sales\/[^/]+$/.test(path) ? "sale" : path.split("/").at(-1)!;
  const validate = validators[name];
  if (validate?.(JSON.parse(text)) !== true) {
    throw new Error(`${target} answers what the protocol does not know: ${ajv.errorsText(validate?.errors)}\n${text}`);
  }
}
