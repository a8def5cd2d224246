import { type Act, keys } from "./keys.ts";

/** The key of a button, small and grey; where nobody has keys it is not shown. */
export function KeyHint({ act }: { act: Act }) {
  const { key } = keys[act];
  // The button's name stays what it does.
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd takes no focus
  return <kbd aria-hidden="true">{key.replace("+", " ").replace("Delete", "Supr")}</kbd>;
}
