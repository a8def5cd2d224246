import { plan } from "./campaign.ts";

/** The campaign's rounds, each in a service of its own, with the seed that repeats it. */
export function rounds(requests = plan.requests): [seed: number, count: number][] {
  const needed = Math.ceil(requests / plan.perService);
  return Array.from({ length: needed }, (_, i) => [
    plan.seed + i,
    Math.min(plan.perService, requests - i * plan.perService),
  ]);
}
