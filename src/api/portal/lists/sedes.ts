import type { Filters } from "./list.ts";

/** The switch between sedes, which stands above the pages and not among their filters. */
export const sedeFilter = { location_id: { name: "sede", kind: "id" } } as const satisfies Filters;
