import { Type } from "../../lib/schema.ts";
import { exactText, label, line, nullable, optional } from "./fields.ts";
import type { DerivedColumn } from "./resource.ts";

/**
 * What a business keeps on a record for its other systems: the record's id there, and texts by key. A record without them has
 * no such field, whenever it was stored.
 */
export interface OwnFields {
  external_id?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

/** Both, named even where there is none. */
export interface KeptOwnFields {
  external_id: string | undefined;
  metadata: Record<string, string> | undefined;
}

/** As they are sent: null removes, and so does an empty text, which the API's validator makes null. */
export interface SentOwnFields {
  external_id?: string | null | undefined;
  metadata?: Record<string, string | null> | null | undefined;
}

/** The capability of a register that receives those of products; those of other records travel with them. */
export const ownFieldsCapability = "own_fields.1";

export const ownFieldNames = ["external_id", "metadata"] as const;

export const maxExternalIdLength = 100;
export const maxMetadataKeys = 50;
export const maxMetadataKeyLength = 40;
export const maxMetadataValueLength = 500;

export const ownFields = {
  external_id: Type.Optional(
    Type.Unsafe<string | undefined>(
      Type.String({ description: "Su identificador en otro sistema. Sin el campo, ninguno." }),
    ),
  ),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, string> | undefined>({
      type: "object",
      additionalProperties: { type: "string" },
      description: "Campos propios del negocio, por clave. Sin el campo, ninguno.",
    }),
  ),
};

const externalId = line(maxExternalIdLength, {
  description: "Su identificador en otro sistema, único entre los registros de su clase que no están eliminados.",
});
const Metadata = Type.Unsafe<Record<string, string | null>>({
  type: "object",
  maxProperties: maxMetadataKeys,
  propertyNames: label(maxMetadataKeyLength),
  additionalProperties: nullable(line(maxMetadataValueLength)),
  description: `Campos propios: hasta ${maxMetadataKeys} claves de ${maxMetadataKeyLength} caracteres, con textos de ${maxMetadataValueLength}. Se agregan a los que hay; un texto vacío o \`null\` quita su clave, y \`metadata: null\` las quita todas.`,
});

/** In the body of a POST, and in that of a PATCH. */
export const newOwnFields = { external_id: optional(externalId), metadata: optional(Metadata) };
export const ownFieldChanges = {
  external_id: Type.Optional(nullable(externalId)),
  metadata: Type.Optional(nullable(Metadata)),
};

export const externalIdFilter = {
  external_id: exactText(maxExternalIdLength, { description: "Identificador exacto en otro sistema." }),
};

export const externalIdColumn = {
  external_id: { type: "text", from: (body: OwnFields) => body.external_id ?? null },
} as const satisfies Record<string, DerivedColumn<OwnFields>>;

/** The fields after an edit. Undefined, and so left out of the record's JSON, where there is none. */
export function changedOwnFields(current: OwnFields, sent: SentOwnFields): KeptOwnFields {
  return {
    external_id: sent.external_id === undefined ? current.external_id : sent.external_id || undefined,
    metadata: sent.metadata === undefined ? current.metadata : changedMetadata(current.metadata, sent.metadata),
  };
}

function changedMetadata(
  current: Record<string, string> = {},
  sent: Record<string, string | null> | null,
): Record<string, string> | undefined {
  if (sent === null) return undefined;
  const entries = Object.entries({ ...current, ...sent }).filter((entry): entry is [string, string] => !!entry[1]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
