import type { AccessCache } from "./access/api-keys/access-cache.ts";
import type { SharedLimits } from "./api/http/shared-limits.ts";
import type { TrafficLimits } from "./api/http/traffic-limits.ts";
import type { Reads } from "./db/shared-reads.ts";
import type { CoreDeps } from "./engine/deps.ts";

/** Adds what the APIs need: the access cache and the traffic limits. */
export interface Deps extends CoreDeps {
  access: AccessCache;
  /** Shares rate limits between processes. Absent when there is only one process. */
  sharedLimits?: SharedLimits;
  /** Overrides of the default limits per business. */
  traffic?: Partial<TrafficLimits>;
}

/** Adds the shared read connections of a process that serves requests. */
export interface ServedDeps extends Deps {
  reads: Reads;
}
