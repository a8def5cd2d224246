import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { CloseSign } from "./signs.tsx";

/** What is asked while selling stands beside the ticket, over the products: total and buyer stay in sight. */
export function Panel({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const panel = ref.current!;
    (panel.querySelector<HTMLElement>("[data-autofocus]") ?? panel).focus({ preventScroll: true });
  }, []);
  const close = useRef(onClose);
  useLayoutEffect(() => {
    close.current = onClose;
  });
  // Wherever the focus is: the ticket beside it can be touched meanwhile.
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (event.key === "Escape" && !document.querySelector("dialog[open]")) close.current();
    }
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <section ref={ref} role="dialog" aria-label={title} className="panel" tabIndex={-1}>
      <div className="dialog-title">
        <h2>{title}</h2>
        <button type="button" className="quiet" onClick={onClose} aria-label="Cerrar" title="Cerrar (Esc)">
          <CloseSign />
        </button>
      </div>
      {children}
    </section>
  );
}
