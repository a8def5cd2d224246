import type { Write } from "../../engine/writing/writing.ts";
import { uuidv7 } from "../../lib/ids.ts";
import type { Category, NewCategory } from "./schema.ts";
import { categories } from "./store.ts";

/** Categories produce no events in this version. */
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
