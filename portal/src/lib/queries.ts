import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import type { Answer, Page, Session } from "./answers.ts";
import { ApiError, get, query } from "./api.ts";

/** How often lists on screen refresh. */
export const refreshMs = 4_000;

/** When the session has ended elsewhere, shows the sign-in page at the same address. */
function endSession(error: Error): void {
  if (error instanceof ApiError && error.code === "SESSION_REQUIRED") client.setQueryData(["session"], null);
}

/** A lost connection, an unavailable service or a rate limit: worth retrying soon. */
function isTemporary({ status }: ApiError): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/** The wait that the service asked for. */
function waitMs(error: Error): number {
  return error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
}

export const client = new QueryClient({
  queryCache: new QueryCache({ onError: endSession }),
  mutationCache: new MutationCache({ onError: endSession }),
  defaultOptions: {
    queries: {
      staleTime: 1_000,
      // Other errors would only repeat.
      retry: (count, error) => count < 3 && (!(error instanceof ApiError) || isTemporary(error)),
      retryDelay: (count, error) => Math.max(waitMs(error), Math.min(500 * 2 ** count, 4_000)),
      refetchOnWindowFocus: true,
    },
  },
});

export function useSession() {
  return useQuery({
    queryKey: ["session"],
    queryFn: async ({ signal }) => {
      try {
        return await get<Session>("/session", signal);
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }
    },
    staleTime: 60_000,
  });
}

export function useEndpoints() {
  return useQuery({
    queryKey: ["endpoints"],
    queryFn: ({ signal }) => get<Answer<"GET /webhook-endpoints">>("/webhook-endpoints", signal),
    select: (list) => list.data,
    refetchInterval: refreshMs,
  });
}

export function useDevices() {
  return useQuery({
    queryKey: ["devices"],
    queryFn: ({ signal }) => get<Answer<"GET /devices">>("/devices", signal),
    select: ({ data }) => data,
    refetchInterval: refreshMs,
  });
}

/** A paged list. It stops refreshing once a second page is open, so that rows do not move while they are being read. */
export function useList<T>(path: string, filters: Record<string, string | undefined>, enabled = true) {
  return useInfiniteQuery({
    queryKey: ["list", path, filters],
    queryFn: ({ pageParam, signal }) =>
      get<Page<T>>(`${path}${query({ ...filters, limit: 25, starting_after: pageParam })}`, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= 1 ? refreshMs : false),
    placeholderData: keepPreviousData,
    enabled,
  });
}

/** The business's own records of one resource, such as `/sales`, newest first. */
export function useRecords<T>(path: string, filters: Record<string, string | undefined>, enabled = true) {
  return useList<T>(`/records${path}`, filters, enabled);
}

/** One record of a resource, kept fresh while its page is open. */
export function useRecord<T>(path: string, id: string) {
  return useQuery({
    queryKey: ["record", path, id],
    queryFn: ({ signal }) => get<T>(`/records${path}/${id}`, signal),
    refetchInterval: refreshMs,
  });
}
