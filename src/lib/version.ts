import { readFileSync } from "node:fs";

/** As package.json has it: in the log, the metrics and `/healthz` an operator sees what runs where. */
export const version: string = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
