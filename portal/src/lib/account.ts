import { useQuery } from "@tanstack/react-query";
import type { Account } from "./answers.ts";
import { get } from "./api.ts";
import { client, refreshMs } from "./queries.ts";

export function useAccount() {
  return useQuery({
    queryKey: ["account"],
    queryFn: ({ signal }) => get<Account>("/account", signal),
    refetchInterval: refreshMs,
  });
}

export function refreshAccount() {
  return Promise.all([
    client.invalidateQueries({ queryKey: ["account"] }),
    client.invalidateQueries({ queryKey: ["session"] }),
    client.invalidateQueries({ queryKey: ["list", "/audit-log"] }),
  ]);
}
