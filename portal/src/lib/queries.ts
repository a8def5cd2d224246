import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import type { Answer, Page, Session } from "./answers.ts";
import { get, Problem, query } from "./api.ts";

/** Lists look again by themselves while they are on screen. */
export const refreshMs = 4_000;

/** A session that ended elsewhere ends here too: the page becomes the sign-in, at the same address. */
function noticeEnd(error: Error): void {
  if (error instanceof Problem && error.code === "SESSION_REQUIRED") client.setQueryData(["session"], null);
}

/** A lost connection, a service that is away, or a page that asked too fast: the same question is good again soon. */
function isPassing({ status }: Problem): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/** What the service asked to wait. */
function waitMs(error: Error): number {
  return error instanceof Problem ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
}

export const client = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      staleTime: 1_000,
      // Anything else that the service refused it will refuse again.
      retry: (count, error) => count < 3 && (!(error instanceof Problem) || isPassing(error)),
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
        if (error instanceof Problem && error.status === 401) return null;
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

/** A list in pages. Only its first page refreshes by itself: what was unfolded must not move under the reader. */
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
