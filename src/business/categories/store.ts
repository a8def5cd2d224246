import { living, matching } from "../../engine/resources/filters.ts";
import type { ListSpec } from "../../engine/resources/list-spec.ts";
import { defineResource } from "../../engine/resources/resource.ts";
import { searchColumns } from "../../engine/resources/search-columns.ts";
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
