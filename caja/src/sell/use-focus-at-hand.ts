import { type RefObject, useEffect } from "react";

/** On a phone a scan shows the products, and what had the focus on the ticket is out of sight: then the box has it, or the products where a keyboard would cover them. */
export function useFocusAtHand(input: RefObject<HTMLElement | null>, isTicketOpen: boolean): void {
  useEffect(() => {
    const active = document.activeElement;
    if (isTicketOpen || (active !== document.body && active?.checkVisibility())) return;
    const next = matchMedia("(hover: hover)").matches ? input.current : input.current?.closest("section");
    next?.focus({ preventScroll: true });
  }, [input, isTicketOpen]);
}
