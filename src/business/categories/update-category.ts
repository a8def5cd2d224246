import type { Write } from "../../engine/writing/writing.ts";
import type { Category, CategoryChanges } from "./schema.ts";
import { categories } from "./store.ts";

export function updateCategory(write: Write, current: Category, changes: CategoryChanges): Category {
  const body: Category = { ...current, ...changes, updated_at: write.at.toISOString() };
  write.put(categories, { body });
  return body;
}
