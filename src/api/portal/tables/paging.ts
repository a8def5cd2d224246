import type { Deps } from "../../../deps.ts";
import { page } from "../../../engine/resources/fields.ts";
import { maxPageBytes } from "../../../engine/resources/read-list.ts";
import { decodeCursor, encodeCursor, type Position } from "../../../lib/cursor.ts";
import { ApiError } from "../../../lib/errors.ts";
import { canonicalJson } from "../../../lib/json.ts";
import { Type } from "../../../lib/schema.ts";

/** What a page of the portal asks for. */
export const usualRows = 25;

export const PageQuery = Type.Object({ ...page }, { additionalProperties: false });

export interface Paged<T> {
  object: "list";
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

interface PagedList {
  route: string;
  accountId: string;
  query: { limit?: number; starting_after?: string; [filter: string]: unknown };
}

type ReadRows<T> = (limit: number, after: Position | undefined) => Promise<T[]>;

/** A keyset page of a portal list. `read` is asked for one row more than the limit, in the list's order. */
export function paged<T extends { created_at: Date; id: string }>(
  deps: Deps,
  list: PagedList,
  read: ReadRows<T>,
): Promise<Paged<T>> {
  return pagedBy(deps, list, ({ created_at }) => created_at, read);
}

/** The same for a list in the order of another instant. */
export async function pagedBy<T extends { id: string }>(
  { config }: Deps,
  list: PagedList,
  instantOf: (row: T) => Date,
  read: ReadRows<T>,
): Promise<Paged<T>> {
  const { limit = usualRows, starting_after, ...filters } = list.query;
  const scope = {
    key: config.secretKeys,
    route: list.route,
    accountId: list.accountId,
    filters: canonicalJson(filters),
  };
  const after = starting_after === undefined ? undefined : decodeCursor(starting_after, scope);
  if (starting_after !== undefined && !after) throw new ApiError("INVALID_CURSOR", { param: "starting_after" });
  const found = await read(limit + 1, after);
  const data = fitPage(found.slice(0, limit));
  const last = data.at(-1);
  const hasMore = found.length > data.length;
  const next = hasMore && last ? encodeCursor({ createdAt: instantOf(last), id: last.id }, scope) : null;
  return { object: "list", data, has_more: hasMore, next_cursor: next };
}

/** As many rows as fit in a page, and at least one. */
export function fitPage<T>(rows: readonly T[]): T[] {
  let bytes = 0;
  const cut = rows.findIndex((row, i) => {
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
    return i > 0 && bytes > maxPageBytes;
  });
  return cut === -1 ? [...rows] : rows.slice(0, cut);
}
