import { MostradorError } from "./errors.ts";
import type { Request, Send } from "./send.ts";

export interface Page<T> {
  object: "list";
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

/** A list. Iterate over it for every record of every page, or over its pages. */
export interface List<T> extends AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>;
  /** The records as an array, at most `most` of them. */
  toArray(most?: number): Promise<T[]>;
}

export interface PageOptions {
  /** Records per request, 1 to 100; 100 by default. */
  pageSize?: number | undefined;
  /** The `next_cursor` of an earlier page of the same list with the same filters. */
  startingAfter?: string | undefined;
  signal?: AbortSignal | undefined;
}

export function list<T>(send: Send, path: string, filters: object & PageOptions): List<T> {
  const { pageSize = 100, startingAfter, signal, ...rest } = filters;
  async function* pages(): AsyncGenerator<Page<T>> {
    let cursor = startingAfter;
    for (;;) {
      const query = {
        ...queryOf(rest),
        limit: String(pageSize),
        ...(cursor !== undefined && { starting_after: cursor }),
      };
      const page = await readJson<Page<T>>(send, { method: "GET", path, query, signal });
      yield page;
      if (!page.has_more || page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }
  async function* records(): AsyncGenerator<T> {
    for await (const page of pages()) yield* page.data;
  }
  return {
    pages,
    [Symbol.asyncIterator]: records,
    async toArray(most = Number.POSITIVE_INFINITY) {
      const found: T[] = [];
      if (most <= 0) return found;
      for await (const record of records()) if (found.push(record) >= most) break;
      return found;
    },
  };
}

export async function readJson<T>(send: Send, request: Request): Promise<T> {
  const response = await send(request);
  const text = await response.text();
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    // A page of somebody in between, such as a network that wants one to sign in.
    const message = `La respuesta HTTP ${response.status} no es JSON: revise baseUrl.`;
    throw new MostradorError({ code: "INTERNAL_ERROR", status: response.status, message, cause });
  }
}

/** `createdSince: new Date()` becomes `created_since=2026-…Z`. Undefined values are left out. */
export function queryOf(filters: object): Record<string, string> {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value instanceof Date ? value.toISOString() : Array.isArray(value) ? value.join(",") : String(value),
    ]),
  );
}
