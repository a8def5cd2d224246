/** 24 × 24 line icons in the colour of the text beside them. They are decorative, so screen readers skip them. */
const paths = {
  home: "M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-5v-6h-4v6H5a1 1 0 0 1-1-1z",
  webhook:
    "M9 8a3 3 0 1 1 5 2.2L17 16m-2.5 1H7M9.5 10.500l-3 5.500M7 19a2.500 2.500 0 1 1 0-5m10 5a2.500 2.500 0 1 0-2.400-3.200",
  send: "M4 12l16-8-5 17-4-7zM11 14l9-10",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  key: "M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 12l9-8M16 7.500l3 3M13.500 10l2 2",
  register: "M4 20h16v-5H4zM6 15l1.500-7h9L18 15M9 5h6v3H9zM8 18h.01",
  receipt: "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-6 8-6s7 2 8 6",
  book: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11",
  exit: "M14 4H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h8M10 12h10m-3-3l3 3-3 3",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2m0 16v2M2 12h2m16 0h2M5 5l1.500 1.500m11 11L19 19M5 19l1.500-1.500m11-11L19 5",
  moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z",
  alert: "M12 4L2.500 20h19zM12 10v4m0 3h.01",
  check: "M5 12.500l4.500 4.500L19 7",
  copy: "M9 9h10v11H9zM5 15V4h10",
  plus: "M12 5v14M5 12h14",
  back: "M15 5l-7 7 7 7",
  mail: "M3 6h18v12H3zM3 7l9 7 9-7",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: "none" }}
    >
      <path d={paths[name]} />
    </svg>
  );
}
