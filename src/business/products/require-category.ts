import type { Write } from "../../engine/writing/write.ts";
import { referenceNotFound } from "../../lib/errors.ts";
import { categories } from "../categories/resource.ts";

/** A product may only be put into a living category of its own account. Returns its id as the category itself writes it. */
export async function requireCategory(write: Write, id: string): Promise<string> {
  const category = await write.load(categories, id);
  if (!category || category.body.deleted_at) throw referenceNotFound("category_id", "una categoría");
  return category.body.id;
}
