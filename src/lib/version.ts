import { readFileSync } from "node:fs";

/** From package.json; shown in the log, the metrics and `/healthz`. */
export const version: string = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
