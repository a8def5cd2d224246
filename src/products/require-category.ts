import { categories } from "../categories/store.ts";
import { referenceNotFound } from "../lib/errors.ts";
import type { Write } from "../writing/writing.ts";

/** A product may only be put into a living category of its own account. */
export async function requireCategory(write: Write, id: string | null | undefined): Promise<void> {
  if (id === undefined || id === null) return;
  const category = await write.load(categories, id.toLowerCase());
  if (!category || category.body.deleted_at) throw referenceNotFound("category_id", "una categoría");
}
