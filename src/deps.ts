import type { AccessCache } from "./access/api-keys/access-cache.ts";
import type { SharedLimits } from "./api/http/shared-limits.ts";
import type { TrafficLimits } from "./api/http/traffic-limits.ts";
import type { Reads } from "./db/shared-reads.ts";
import type { CoreDeps } from "./engine/deps.ts";

/** What the APIs need in addition: access checks and limits. */
export interface Deps extends CoreDeps {
  access: AccessCache;
  /** Keeps rate limits equal between processes; absent if there is only one process. */
  sharedLimits?: SharedLimits;
  /** Replaces some of the default limits. */
  traffic?: Partial<TrafficLimits>;
}

/** What a process that serves requests has in addition. */
export interface ServedDeps extends Deps {
  reads: Reads;
}
