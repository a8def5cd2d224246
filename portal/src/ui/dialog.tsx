import { Modal, type ModalProps } from "@mantine/core";
import { useEffect } from "react";

let opener: HTMLElement | null = null;
let openDialogs = 0;

/** A dialog that is there only while it is needed. When the last of a row of them is gone, the focus is back where it was. */
export function Dialog(props: Omit<ModalProps, "opened">) {
  useEffect(() => {
    if (openDialogs === 0 && opener === null) opener = beforeOpening;
    openDialogs += 1;
    return () => {
      openDialogs -= 1;
      // The next dialog of the same errand, if there is one, opens within this turn.
      setTimeout(() => {
        if (openDialogs > 0) return;
        if (opener?.isConnected) opener.focus();
        opener = null;
      });
    };
  }, []);
  return <Modal opened returnFocus={false} {...props} />;
}

let beforeOpening: HTMLElement | null = null;
document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLElement && !target.closest("[role=dialog], [role=menu]")) beforeOpening = target;
});
