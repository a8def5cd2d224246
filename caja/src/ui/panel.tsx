import { type ReactNode, useLayoutEffect, useRef } from "react";

/** What is asked while selling stands beside the ticket, over the products: total and buyer stay in sight. */
export function Panel({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const panel = ref.current!;
    (panel.querySelector<HTMLElement>("[data-autofocus]") ?? panel).focus();
  }, []);
  return (
    <section
      ref={ref}
      role="dialog"
      aria-label={title}
      className="panel"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div className="dialog-title">
        <h2>{title}</h2>
        <button type="button" className="quiet" onClick={onClose} aria-label="Cerrar" title="Cerrar (Esc)">
          ✕
        </button>
      </div>
      {children}
    </section>
  );
}
