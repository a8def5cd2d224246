import type { ListSpec } from "../http/reading.ts";
import { living, matching } from "../resources/filters.ts";
import { defineResource } from "../resources/resource.ts";
import { searchColumns } from "../resources/search-columns.ts";
import type { Category, CategoryQuery } from "./schema.ts";

export const categories = defineResource<Category>({
  table: "categories",
  spanish: "una categoría",
  derived: searchColumns((body: Category) => [body.name]),
  private: {},
  units: ({ body }) => ({
    name: body.name,
    description: body.description,
    image_url: body.image_url,
    sort_order: body.sort_order,
    deleted: body.deleted_at !== null,
  }),
});

export const categoryList: ListSpec<CategoryQuery> = {
  table: "categories",
  conditions: (query) => [...living(query.include_deleted), ...matching(query.q)],
};
