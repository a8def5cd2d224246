import type { ReactNode } from "react";

function Sign({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

/** Drawn, because no typeface can be relied on to have one. */
export function CloseSign() {
  return (
    <Sign>
      <path d="M6 6l12 12M18 6L6 18" />
    </Sign>
  );
}

export function CameraSign() {
  return (
    <Sign>
      <path d="M3 8h4l2-3h6l2 3h4v11H3z" />
      <circle cx="12" cy="13" r="3.5" />
    </Sign>
  );
}

export function PriceSign() {
  return (
    <Sign>
      <path d="M3 12V4h8l10 10-8 8z" />
      <circle cx="7.5" cy="8.5" r="1.2" />
    </Sign>
  );
}

export function FreeLineSign() {
  return (
    <Sign>
      <path d="M4 20h16M5 15l10-10 3 3L8 18l-4 1z" />
    </Sign>
  );
}

export function StarSign({ isFull }: { isFull: boolean }) {
  return (
    <Sign>
      <path
        d="M12 3.5l2.6 5.3 5.9.9-4.2 4.1 1 5.8-5.3-2.8-5.3 2.8 1-5.8L3.5 9.7l5.9-.9z"
        fill={isFull ? "currentColor" : "none"}
      />
    </Sign>
  );
}
