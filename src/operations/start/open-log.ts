import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import { createLogger } from "./logger.ts";
import { newOutage, type Outage } from "./outage.ts";

export interface OpenLog {
  log: Logger;
  outage: Outage;
}

/** The log of a service that is about to start; while the database is away it leaves out what follows from that. */
export function openLog({ logLevel }: Config): OpenLog {
  const outage = newOutage();
  return { log: createLogger(logLevel, 1, outage.suppresses), outage };
}
