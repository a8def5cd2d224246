import type { Config } from "../config.ts";
import type { Pool } from "../db/pool.ts";
import type { Clock } from "../lib/clock.ts";
import type { Authority } from "./authority.ts";
import { simulatedAuthority } from "./simulated-authority.ts";

/** The authority that the settings name. */
export function authorityFor(deps: { config: Config; pool: Pool; clock: Clock }): Authority {
  return simulatedAuthority(deps);
}
