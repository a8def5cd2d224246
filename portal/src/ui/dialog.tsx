import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useLayoutEffect, useRef } from "react";

let opener: HTMLElement | null = null;
let openDialogs = 0;

/** A dialog that is open while it is mounted. After the last of several dialogs in a row, focus returns to where it was. */
export function Dialog({ children, ...props }: Omit<ModalProps, "opened">) {
  useEffect(() => {
    if (openDialogs === 0 && opener === null) opener = beforeOpening;
    openDialogs += 1;
    return () => {
      openDialogs -= 1;
      // If another dialog follows, it is mounted before this timer fires.
      setTimeout(() => {
        if (openDialogs > 0) return;
        if (opener?.isConnected) opener.focus();
        opener = null;
      });
    };
  }, []);
  return (
    <Modal opened returnFocus={false} {...props}>
      <FocusAtOnce />
      {children}
    </Modal>
  );
}

/** The modal's own focus comes a timer later; a key pressed right after the one that opened it would go nowhere. */
function FocusAtOnce() {
  const here = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const dialog = here.current?.closest("[role=dialog]");
    dialog?.querySelector<HTMLElement>("[data-autofocus]")?.focus({ preventScroll: true });
  }, []);
  return <span ref={here} hidden />;
}

let beforeOpening: HTMLElement | null = null;
document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLElement && !target.closest("[role=dialog], [role=menu]")) beforeOpening = target;
});
