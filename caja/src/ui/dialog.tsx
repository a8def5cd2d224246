import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { DialogContext, enterDialog } from "./open-dialogs.ts";
import { CloseSign } from "./signs.tsx";

/** The browser's own dialog: it keeps the focus inside, and Escape closes it. */
export function Dialog(props: { title: string; onClose: () => void; children: ReactNode; wide?: boolean }) {
  const { title, onClose, children, wide = false } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const [own] = useState(() => Symbol("dialog"));
  useLayoutEffect(() => {
    const dialog = ref.current!;
    if (!dialog.open) dialog.showModal();
    dialog.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    const leave = enterDialog(own);
    return () => {
      leave();
      dialog.close();
    };
  }, [own]);
  return (
    <dialog
      ref={ref}
      className={wide ? "wide" : undefined}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="dialog-title">
        <h2>{title}</h2>
        <button type="button" className="quiet" onClick={onClose} aria-label="Cerrar">
          <CloseSign />
        </button>
      </div>
      <DialogContext value={own}>{children}</DialogContext>
    </dialog>
  );
}
