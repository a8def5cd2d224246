import { titleOf, type Words } from "../../../src/api/portal/lists/list.ts";

export interface Option {
  value: string;
  label: string;
}

/** The words of a closed set, to choose from. */
export function optionsOf(words: Words): Option[] {
  return Object.entries(words).map(([value, one]) => ({ value, label: titleOf(one) }));
}
