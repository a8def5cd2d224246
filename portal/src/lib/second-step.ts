import { useQuery } from "@tanstack/react-query";
import type { Answer } from "./answers.ts";
import { get } from "./api.ts";
import { client } from "./queries.ts";

export type SecondStep = Answer<"GET /second-step">;
export type Factor = SecondStep["factors"][number];

export function useSecondStep() {
  return useQuery({
    queryKey: ["second-step"],
    queryFn: ({ signal }) => get<SecondStep>("/second-step", signal),
    refetchInterval: 15_000,
  });
}

/** After a factor came or went; whether one is still demanded stands in the session. */
export function refreshSecondStep() {
  return Promise.all([
    client.invalidateQueries({ queryKey: ["second-step"] }),
    client.invalidateQueries({ queryKey: ["session"] }),
    client.invalidateQueries({ queryKey: ["list", "/audit-log"] }),
  ]);
}
