import type { Loaded } from "../../engine/resources/resource.ts";
import type { Operations } from "../../engine/writing/operations.ts";
import type { Write } from "../../engine/writing/write.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { categories } from "./resource.ts";
import { type Category, CategoryChanges, NewCategory } from "./schema.ts";

/** Categories produce no events in this version. */
export const categoryOperations: Operations<Category> = {
  create: { body: NewCategory, run: createCategory },
  update: { body: CategoryChanges, run: updateCategory },
};

export function createCategory(write: Write, input: NewCategory): Category {
  const at = write.at.toISOString();
  const body: Category = {
    object: "category",
    id: uuidv7(write.at),
    name: input.name,
    description: input.description ?? null,
    image_url: null,
    sort_order: input.sort_order ?? 0,
    deleted_at: null,
    created_at: at,
    updated_at: at,
  };
  write.put(categories, { body });
  return body;
}

function updateCategory(write: Write, current: Loaded<Category>, changes: CategoryChanges): Category {
  const body: Category = { ...current.body, ...changes, updated_at: write.at.toISOString() };
  write.put(categories, { body });
  return body;
}
