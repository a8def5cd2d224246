import type { Static } from "typebox";
import {
  constant,
  includeDeleted,
  instant,
  label,
  listQuery,
  nullable,
  optional,
  recordVersion,
  searchQuery,
  text,
  uuid,
} from "../../engine/resources/fields.ts";
import { Type } from "../../lib/schema.ts";

export const Category = Type.Object(
  {
    object: constant("category"),
    id: uuid(),
    name: Type.String(),
    description: nullable(Type.String()),
    image_url: nullable(Type.String({ format: "uri" })),
    sort_order: Type.Integer(),
    deleted_at: nullable(instant()),
    created_at: instant(),
    updated_at: instant(),
    version: recordVersion,
  },
  {
    $id: "category",
    examples: [
      {
        object: "category",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c12",
        name: "Bebidas",
        description: "Gaseosas, jugos y agua",
        image_url: null,
        sort_order: 10,
        deleted_at: null,
        created_at: "2026-09-28T19:05:09.120Z",
        updated_at: "2026-09-28T19:05:09.120Z",
        version: 1,
      },
    ],
  },
);
export type Category = Static<typeof Category>;

const sortOrder = Type.Integer({
  minimum: -100_000,
  maximum: 100_000,
  description: "Posición en el mostrador; menor va primero.",
});

export const NewCategory = Type.Object(
  {
    name: label(120),
    description: optional(text(1000)),
    sort_order: optional(sortOrder),
  },
  {
    additionalProperties: false,
    examples: [{ name: "Bebidas", description: "Gaseosas, jugos y agua", sort_order: 10 }],
  },
);
export type NewCategory = Static<typeof NewCategory>;

export const CategoryChanges = Type.Object(
  {
    name: Type.Optional(label(120)),
    description: Type.Optional(nullable(text(1000))),
    sort_order: Type.Optional(sortOrder),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ sort_order: 20 }] },
);
export type CategoryChanges = Static<typeof CategoryChanges>;

export const CategoryQuery = listQuery({ q: searchQuery, include_deleted: includeDeleted });
export type CategoryQuery = Static<typeof CategoryQuery>;
