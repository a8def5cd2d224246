import { equal } from "../../engine/resources/filters.ts";
import { defineResource } from "../../engine/resources/resource.ts";
import { Location, LocationQuery } from "./schema.ts";

/** Where a business sells. Every key may read them; the owner opens and changes them in the portal. */
export const locations = defineResource<Location>({
  name: "location",
  table: "locations",
  path: "/locations",
  scope: null,
  tag: {
    name: "Sedes",
    text: "Los lugares donde vende el negocio. Nace con una, y un registro sin `location_id` es de esa: la que tiene `is_first`.",
  },
  spanish: { one: "una sede", many: "sedes" },
  schema: Location,
  query: LocationQuery,
  derived: { active: { type: "boolean", from: (body) => body.active } },
  private: {},
  conditions: (query: LocationQuery) => equal("active", query.active),
});
