import type { Config } from "../config.ts";
import { demoKey } from "../operations/demo/identity.ts";
import type { Here } from "./command.ts";

/** The installation on this machine. What asks its database is loaded on use. */
export function installationHere(readConfig: () => Config): Here {
  const onDatabase = () => import("./here-database.ts");
  return {
    get url() {
      return readConfig().publicUrl;
    },
    demoKey() {
      const { environment, secretKeys } = readConfig();
      return environment === "live" ? undefined : demoKey(secretKeys);
    },
    enrolmentCode: async (key, name) => (await onDatabase()).enrolmentCode(readConfig(), key, name),
    showClock: async () => (await onDatabase()).showClock(readConfig()),
    advanceClock: async (duration) => (await onDatabase()).moveClock(readConfig(), duration),
  };
}
