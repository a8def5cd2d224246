import type { TSchema } from "typebox";
import type { ErrorCode } from "../../lib/errors.ts";
import type { EventType } from "../events/event-types.ts";
import type { Loaded, RecordBody, Resource } from "../resources/resource.ts";
import type { Write } from "./write.ts";

/** What the API may do to one record. */
export interface Operation {
  /** Of the request. */
  body: TSchema;
  /** Its resource's own event, unless it says otherwise. */
  emits?: EventType[];
  /** Beyond those of every route. */
  errors?: ErrorCode[];
  /** In the reference: "Crear" and "Editar", unless it says otherwise. */
  verb?: string;
}

export interface Operations<Body extends RecordBody = RecordBody, Private extends object = object> {
  create?: Operation & { run: (write: Write, input: never) => Promise<Body> | Body };
  update?: Operation & {
    run: (write: Write, current: Loaded<Body, Private>, changes: never) => Promise<Body> | Body;
  };
}

/** A resource, and what the API may do to it besides reading. */
export interface Published {
  resource: Resource;
  operations: Operations;
}

export function publish<Body extends RecordBody, Private extends object>(
  resource: Resource<Body, Private>,
  operations: Operations<Body, Private> = {},
): Published & { resource: { name: Body["object"] } } {
  return { resource, operations } as unknown as Published & { resource: { name: Body["object"] } };
}
