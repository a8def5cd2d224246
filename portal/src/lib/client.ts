import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api.ts";
import { whenConnectionReturns } from "./connection.ts";
import { showBusiness } from "./shown-business.ts";

/** When the session has ended elsewhere, shows the sign-in page at the same address. */
function endSession(error: Error): void {
  if (error instanceof ApiError && error.code === "SESSION_REQUIRED") client.setQueryData(["session"], null);
}

/** After whoever is at this browser went into another business: nothing of the one before stays in memory. */
export async function enterBusiness(): Promise<void> {
  showBusiness(undefined);
  forgetPages();
  await client.invalidateQueries({ queryKey: ["session"] });
}

/** Removes from memory what pages have read. */
export function forgetPages(): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
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
      networkMode: "always",
    },
    // A change is never held back to be sent later: the owner is told at once that it was not made.
    mutations: { networkMode: "always" },
  },
});

// Whatever is on screen is read again, so that a page that failed meanwhile shows itself without a reload.
whenConnectionReturns(() => void client.invalidateQueries());
