import type { AccessCache } from "./access/api-keys/access-cache.ts";
import type { SharedLimits } from "./api/http/shared-limits.ts";
import type { TrafficLimits } from "./api/http/traffic-limits.ts";
import type { Reads } from "./db/shared-reads.ts";
import type { CoreDeps } from "./engine/deps.ts";

/** What the doors need besides: who may come in, and how much each may take. */
export interface Deps extends CoreDeps {
  access: AccessCache;
  /** Keeps rate limits equal between processes; a process that is alone has none. */
  sharedLimits?: SharedLimits;
  /** What one business may take, where it is not as usual. */
  traffic?: Partial<TrafficLimits>;
}

/** What a process that answers requests has besides. */
export interface ServedDeps extends Deps {
  reads: Reads;
}
