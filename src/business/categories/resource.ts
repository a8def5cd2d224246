import { living, matching } from "../../engine/resources/filters.ts";
import { defineResource } from "../../engine/resources/resource.ts";
import { searchColumns } from "../../engine/resources/search-columns.ts";
import { Category, CategoryQuery } from "./schema.ts";

export const categories = defineResource<Category>({
  name: "category",
  table: "categories",
  path: "/categories",
  scope: "products",
  tag: "Categorías",
  spanish: { one: "una categoría", many: "categorías" },
  schema: Category,
  query: CategoryQuery,
  isDeletable: true,
  derived: searchColumns((body: Category) => [body.name]),
  private: {},
  units: ({ body }) => ({
    name: body.name,
    description: body.description,
    image_url: body.image_url,
    sort_order: body.sort_order,
    deleted: body.deleted_at !== null,
  }),
  conditions: (query: CategoryQuery) => [...living(query.include_deleted), ...matching(query.q)],
});
