interface Props {
  /** The lines, on a field of 24 × 24. */
  path: string;
  size: number;
  weight: number;
  isFull?: boolean;
}

/** Drawn, because no typeface can be relied on to have it, in the colour of the text beside it. Screen readers skip it. */
export function LineIcon({ path, size, weight, isFull = false }: Props) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={isFull ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth={weight}
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: "none" }}
    >
      <path d={path} />
    </svg>
  );
}
