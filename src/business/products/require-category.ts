import type { Write } from "../../engine/writing/write.ts";
import { referenceNotFound } from "../../lib/errors.ts";
import { categories } from "../categories/resource.ts";

/** Checks that a category exists and is not deleted. Returns its id as stored. */
export async function requireCategory(write: Write, id: string): Promise<string> {
  const category = await write.load(categories, id);
  if (!category || category.body.deleted_at) throw referenceNotFound("category_id", "una categoría");
  return category.body.id;
}
