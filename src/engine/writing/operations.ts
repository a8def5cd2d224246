import type { TSchema } from "typebox";
import type { ErrorCode } from "../../lib/errors.ts";
import type { EventType } from "../events/event-types.ts";
import type { Loaded, MergedFields, MergedResource, RecordBody, Resource } from "../resources/resource.ts";
import type { Write } from "./write.ts";

/** A create or update operation of the API. */
export interface Operation {
  /** Schema of the request's body. */
  body: TSchema;
  /** The resource's own event unless given. */
  emits?: EventType[];
  /** Besides those of every route. */
  errors?: ErrorCode[];
  /** In the reference; "Crear" or "Editar" unless given. */
  verb?: string;
}

/** Who asks for a write: the name that the owner gave the key. */
export interface Caller {
  keyName: string;
}

/** For many in one write, whose queries see none of them: what creates one, once all are known. */
export type BatchOperation<Body extends RecordBody = RecordBody> = (
  write: Write,
  inputs: readonly never[],
) => Promise<(input: never) => Promise<Body> | Body>;

export interface Operations<Body extends RecordBody = RecordBody, Private extends object = object> {
  /** A record's text for a key that may not read: of one that was there before, whatever of it the request wrote. */
  withoutReading?: (text: string, written: object) => string;
  create?: Operation & {
    run(write: Write, input: never, caller: Caller): Promise<Body> | Body;
    batch?: BatchOperation<Body>;
  };
  update?: Operation & {
    run(write: Write, current: Loaded<Body, Private>, changes: never): Promise<Body> | Body;
  };
}

/** A resource and the API's operations on it besides reading. */
export interface Published {
  resource: Resource;
  operations: Operations;
}

export function publish<Body extends RecordBody, Private extends object>(
  resource: MergedResource<Body, Private>,
  operations?: Operations<Body, Private>,
): Published & { resource: { name: Body["object"]; merged: MergedFields } };
export function publish<Body extends RecordBody, Private extends object>(
  resource: Resource<Body, Private>,
  operations?: Operations<Body, Private>,
): Published & { resource: { name: Body["object"] } };
export function publish<Body extends RecordBody, Private extends object>(
  resource: Resource<Body, Private>,
  operations: Operations<Body, Private> = {},
): Published & { resource: { name: Body["object"] } } {
  return { resource, operations };
}
