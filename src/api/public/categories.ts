import { createCategory } from "../../business/categories/create-category.ts";
import { Category, CategoryChanges, CategoryQuery, NewCategory } from "../../business/categories/schema.ts";
import { categories, categoryList } from "../../business/categories/store.ts";
import { updateCategory } from "../../business/categories/update-category.ts";
import { ById, IncludeDeleted, listOf, NoQuery } from "../../engine/resources/fields.ts";
import { createOnce } from "./idempotency.ts";
import type { TypedApp } from "./public-app.ts";
import { type ReadingDeps, sendList, sendOne } from "./reading.ts";
import { updateOne } from "./updating.ts";

const tags = ["Categorías"];

export function categoryRoutes(app: TypedApp, deps: ReadingDeps): void {
  app.post(
    "/categories",
    {
      config: { permission: "products:write", answers: Category },
      schema: { tags, summary: "Crear una categoría", querystring: NoQuery, body: NewCategory },
    },
    (request, reply) => createOnce(deps, request, reply, (write) => createCategory(write, request.body)),
  );
  app.get(
    "/categories",
    {
      config: { permission: "products:read", answers: listOf(Category) },
      schema: { tags, summary: "Listar categorías", querystring: CategoryQuery },
    },
    (request, reply) => sendList(deps, request, reply, categoryList),
  );
  app.get(
    "/categories/:id",
    {
      config: { permission: "products:read", answers: Category },
      schema: { tags, summary: "Leer una categoría", params: ById, querystring: IncludeDeleted },
    },
    (request, reply) => sendOne(deps, request, reply, categories),
  );
  app.patch(
    "/categories/:id",
    {
      config: { permission: "products:write", answers: Category },
      schema: { tags, summary: "Editar una categoría", params: ById, querystring: NoQuery, body: CategoryChanges },
    },
    (request, reply) =>
      updateOne(deps, request, reply, categories, (write, { body }) => updateCategory(write, body, request.body)),
  );
}
