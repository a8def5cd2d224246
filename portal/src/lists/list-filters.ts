import type { Filter as Declared, Filters } from "../../../src/api/portal/lists/list.ts";
import { useFilters } from "../lib/address.ts";
import { endOf, startOf } from "../lib/format.ts";
import { type Option, optionsOf } from "../lib/options.ts";
import { useSede } from "../lib/sedes.ts";
import { CustomerFilter } from "../ui/customer-select.tsx";
import { type Filter, useFilterBar } from "../ui/filter-bar.tsx";

/** What the owner can choose from where it is known only here; null takes the filter away. */
export type Choices<Param extends string> = Partial<Record<Param, readonly Option[] | null>>;

export type AskedText = Record<string, string | undefined>;

/** What the address asks of a list: `asked` for the service, by its parameters, and `bar` with the fields. */
export function useListFilters<F extends Filters>(filters: F, choices: Choices<keyof F & string> = {}) {
  const sede = useSede();
  const named = Object.entries<Declared>(filters).filter(
    ([param, { name }]) => name !== undefined && choices[param] !== null && param !== "location_id",
  );
  const [shown, hidden] = [true, false].map((isShown) => named.filter(([, { label }]) => !label !== isShown));
  const { values, clear, bar } = useFilterBar(shown!.map(([param, filter]) => fieldOf(filter, choices[param])));
  const [others, setOthers] = useFilters(hidden!.map(([, { name }]) => name!));
  const all: AskedText = { ...values, ...others };
  const clearOthers = () => setOthers(Object.fromEntries(Object.keys(others).map((name) => [name, null])));
  return {
    asked: {
      ...(Object.fromEntries(
        named.map(([param, filter]) => [param, askedWith(filter, all[filter.name!])]),
      ) as AskedText),
      // It stands above all pages, not among the filters of one.
      ...("location_id" in filters && { location_id: sede.id }),
    },
    /** Whether something is typed that is too short to be searched. */
    isShort: named.some(([, filter]) => isShort(filter, all[filter.name!])),
    bar,
    /** Undefined when no filter is set. */
    clear: clear ?? (Object.keys(others).length > 0 ? clearOthers : undefined),
    clearOthers,
  };
}

function fieldOf(
  { name = "", label = "", placeholder, ...filter }: Declared,
  choices: readonly Option[] | null | undefined,
): Filter {
  const about = { name, label, placeholder };
  const options = choices ?? ("options" in filter && filter.options ? optionsOf(filter.options) : undefined);
  if (options || filter.kind === "id") return { ...about, kind: "choice", options: options ?? [] };
  switch (filter.kind) {
    case "since":
    case "until":
      return { ...about, kind: "date" };
    case "amount":
      return { ...about, kind: "amount" };
    case "customer":
      return { ...about, kind: "own", input: CustomerFilter };
    default:
      return { ...about, kind: "text" };
  }
}

function askedWith(filter: Declared, value: string | undefined): string | undefined {
  if (value === undefined || isShort(filter, value)) return undefined;
  switch (filter.kind) {
    case "since":
      return startOf(value);
    case "until":
      return endOf(value);
    case "flag":
      return String(value === filter.yes);
    default:
      return value;
  }
}

const isShort = (filter: Declared, value: string | undefined) =>
  filter.kind === "search" && value !== undefined && value.trim().length < filter.least;
