import type { ReactNode } from "react";
import { Link } from "wouter";
import { percent } from "../lib/format.ts";

/** Figures beside each other. The first one is the page's main figure if it is marked so. */
export function Figures({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className="figures" aria-label={label}>
      {children}
    </section>
  );
}

/** A number with its label. With `to` it opens the list of what it counts. */
export function Figure({
  label,
  value,
  note,
  to,
  isMain = false,
}: {
  label: string;
  value: string;
  note?: ReactNode;
  to?: string;
  isMain?: boolean;
}) {
  const name = `${label}: ${value}`;
  return (
    <div className={isMain ? "figure main" : "figure"}>
      <div className="figure-label">{label}</div>
      {to === undefined ? (
        <span className="figure-value">{value}</span>
      ) : (
        <Link href={to} className="figure-value" aria-label={name}>
          {value}
        </Link>
      )}
      {note !== undefined && <div className="figure-note">{note}</div>}
    </div>
  );
}

/** How much a figure grew or fell, in words and colour; nothing to compare with says so. */
export function Change({ now, before, than }: { now: number; before: number; than: string }) {
  if (before === 0) return <>{now === 0 ? `igual que ${than}` : `${than} no hubo`}</>;
  const change = (now - before) / before;
  if (Math.abs(change) < 0.005) return <>igual que {than}</>;
  return (
    <>
      <span className={change > 0 ? "up" : "down"}>
        {change > 0 ? "▲" : "▼"} {percent(Math.abs(change))}
      </span>{" "}
      {change > 0 ? "más" : "menos"} que {than}
    </>
  );
}
