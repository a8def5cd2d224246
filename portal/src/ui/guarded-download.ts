import type { MouseEvent } from "react";
import { get } from "../lib/api.ts";
import type { SecondStep } from "../lib/second-step.ts";
import { askStepUp } from "../lib/step-up.ts";

/** Follows the link to a file that asks for the second step again, once that was done. */
export async function downloadGuarded(event: MouseEvent<HTMLAnchorElement>): Promise<void> {
  event.preventDefault();
  const { href } = event.currentTarget;
  const { kinds, stepped_up_until } = await get<SecondStep>("/second-step");
  if (kinds.length === 0 || stepped_up_until !== null || (await askStepUp(kinds))) window.location.assign(href);
}
