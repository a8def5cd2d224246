import { rightsFor } from "../../../register/acts.ts";
import { may, type Permit } from "../../../register/cashiers.ts";
import { changeTexts } from "../../../register/change-texts.ts";
import type { Ticket } from "../../../register/ticket.ts";
import type { Right } from "../../../src/business/counter/rights.ts";
import { useAuthorization } from "../ui/authorization.tsx";
import { useDevice, useOpen } from "../use-device.ts";

type Change = (ticket: Ticket) => Ticket;

/**
 * Changes the ticket, at once if whoever is signed in may; otherwise when a supervisor has allowed it. `isFree`: whether nobody has to
 * be asked.
 */
export function useEdit(): {
  edit: (change: Change, onDone?: () => void) => void;
  isFree: (change: Change) => boolean;
} {
  const { counter } = useOpen();
  const device = useDevice();
  const authorize = useAuthorization();
  function rightsOf(change: Change) {
    const { current } = counter.state();
    return rightsFor(current, change(current));
  }
  const isFree = (change: Change) => rightsOf(change).every((right) => may(counter.state().cashier, right));
  function finish(change: Change, permits: readonly Permit[], onDone: () => void): void {
    counter.edit(change, permits);
    onDone();
    if (permits.some(({ right }) => right === "remove_kept")) device.wake();
  }
  async function ask(change: Change, onDone: () => void): Promise<void> {
    const permits: Permit[] = [];
    const { current } = counter.state();
    const after = change(current);
    for (const right of rightsFor(current, after)) {
      const permit = await authorize(right, changeTexts(right, current, after, counter.totals));
      if (!permit) return;
      permits.push(permit);
    }
    // What was allowed is for the ticket that was shown, and for nothing that came to it since.
    const isAllowed = (right: Right) => permits.some((permit) => permit.right === right);
    if (counter.state().current.id !== current.id || !rightsOf(change).every(isAllowed)) return;
    finish(change, permits, onDone);
  }
  return {
    isFree,
    edit(change, onDone = () => {}) {
      if (!isFree(change)) return void ask(change, onDone);
      finish(
        change,
        rightsOf(change).map((right) => ({ right, by: undefined })),
        onDone,
      );
    },
  };
}
