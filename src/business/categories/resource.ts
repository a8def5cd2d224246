import { matching, notDeleted } from "../../engine/resources/filters.ts";
import { defineResource } from "../../engine/resources/resource.ts";
import { searchColumns } from "../../engine/resources/search-columns.ts";
import { Category, CategoryQuery } from "./schema.ts";

export const categories = defineResource<Category>({
  name: "category",
  table: "categories",
  path: "/categories",
  scope: "products",
  tag: { name: "Categorías", text: "Grupos del catálogo. No producen eventos en esta versión." },
  spanish: { one: "una categoría", many: "categorías" },
  schema: Category,
  query: CategoryQuery,
  isDeletable: true,
  derived: searchColumns((body: Category) => [body.name]),
  private: {},
  merged: { needs: ["name"], defaults: { name: "", description: null, image_url: null, sort_order: 0 } },
  conditions: (query: CategoryQuery) => [...notDeleted(query.include_deleted), ...matching(query.q)],
});
