import type { ReactNode } from "react";

/** A screen with one thing to read and, often, one thing to do. */
export function Message({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <main className="message">
      <img src="/caja/icon.svg" alt="" width="56" height="56" />
      <h1>{title}</h1>
      {children}
    </main>
  );
}
