import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { NeededRight } from "../../../src/access/people/needed-right.ts";
import { dayOf } from "../../../ui/format.ts";
import type { Answer, Page, Session } from "./answers.ts";
import { ApiError, get, query } from "./api.ts";
import { client, forgetPages } from "./client.ts";
import { may } from "./may.ts";
import { showBusiness } from "./shown-business.ts";

export { client };

/** How often lists on screen refresh. */
export const refreshMs = 4_000;

/** Also after its session ended: another person may enter by another tab. */
let lastBusiness: string | undefined;

export function useSession() {
  return useQuery({
    queryKey: ["session"],
    queryFn: async ({ signal }) => {
      try {
        const session = await get<Session>("/session", signal);
        if (lastBusiness !== undefined && lastBusiness !== session.account.id) forgetPages();
        lastBusiness = session.account.id;
        showBusiness(lastBusiness);
        return session;
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) {
          showBusiness(undefined);
          return null;
        }
        throw error;
      }
    },
    staleTime: 60_000,
    // A page that asks for nothing by itself, such as a form, would notice neither a lost connection nor an ended session.
    refetchInterval: 10_000,
    // Another tab may have gone to another business meanwhile.
    refetchOnWindowFocus: "always",
  });
}

/** Asks whether whoever is signed in may do something. */
export function useMay(): (needed: NeededRight) => boolean {
  const { data } = useSession();
  return (needed) => (data ? may(data, needed) : false);
}

/** The day of the service: a computer's clock may say another. */
export function useToday(): string {
  const { data } = useSession();
  return dayOf(new Date(data?.server_time ?? Date.now()));
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
  const may = useMay();
  return useQuery({
    queryKey: ["devices"],
    queryFn: ({ signal }) => get<Answer<"GET /devices">>("/devices", signal),
    select: ({ data }) => data,
    refetchInterval: refreshMs,
    enabled: may("registers:read"),
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
