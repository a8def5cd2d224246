import type { Config } from "../../config.ts";
import type { Pool } from "../../db/pool.ts";
import type { Clock } from "../../lib/clock.ts";
import { apidianAuthority } from "./apidian/adapter.ts";
import type { Authority } from "./authority.ts";
import { simulatedAuthority } from "./simulated/simulated-authority.ts";

export function authorityFor(deps: { config: Config; pool: Pool; clock: Clock }): Authority {
  const { fiscalAuthority, apidianUrl, apidianToken } = deps.config;
  return fiscalAuthority === "apidian" && apidianUrl !== undefined
    ? apidianAuthority({ url: apidianUrl, token: apidianToken })
    : simulatedAuthority(deps);
}
