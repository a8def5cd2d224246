import { useQuery } from "@tanstack/react-query";
import type { NeededRight } from "../../../src/access/people/needed-right.ts";
import { may } from "./may.ts";
import { useSession } from "./queries.ts";

/**
 * What somebody reads in place of a next step that she may not take: whom she asks. Undefined where she may. The words are in the table
 * of all rights, which only loads for whoever lacks one.
 */
export function useInstead(needed: readonly NeededRight[]): (needed: NeededRight) => string | undefined {
  const { data: session } = useSession();
  const { data: insteadOf } = useQuery({
    queryKey: ["instead"],
    queryFn: async () => (await import("../../../src/access/people/advice.ts")).insteadOf,
    enabled: session ? needed.some((one) => !may(session, one)) : false,
    staleTime: Infinity,
  });
  return (one) => {
    if (!session || may(session, one)) return undefined;
    return insteadOf?.({ rights: new Set(session.rights), ask: session.owners }, one) ?? "Su rol no lo permite.";
  };
}
