import { LineIcon } from "../../../ui/line-icon.tsx";

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
  bell: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2m0 16v2M2 12h2m16 0h2M5 5l1.500 1.500m11 11L19 19M5 19l1.500-1.500m11-11L19 5",
  moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z",
  alert: "M12 4L2.500 20h19zM12 10v4m0 3h.01",
  check: "M5 12.500l4.500 4.500L19 7",
  copy: "M9 9h10v11H9zM5 15V4h10",
  plus: "M12 5v14M5 12h14",
  down: "M6 9l6 6 6-6",
  back: "M15 5l-7 7 7 7",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  today: "M5 20V11m7 9V5m7 15v-7M3 20h18",
  sale: "M4 5h2l2.200 10h9.600L20 8H7M9.500 19.500h.01M16.500 19.500h.01",
  product: "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8",
  people:
    "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20c.6-4 3-6 6.500-6s5.900 2 6.500 6M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.500c2 .7 3.200 2.500 3.500 5.500",
  stock: "M3 20V9l9-5 9 5v11M7 20v-7h10v7M7 16.500h10",
  shift: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.500 2",
  order: "M6 8h12l1 12H5zM9 8V7a3 3 0 0 1 6 0v1",
  quote: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h4",
  chart: "M4 4v16h16M8 15l3-4 3 2 5-6",
  store: "M4 9l1.500-5h13L20 9M4 9c0 3 4 3 4 0 0 3 4 3 4 0 0 3 4 3 4 0 0 3 4 3 4 0M5.500 12v8h13v-8M10 20v-5h4v5",
  shield: "M12 3l8 3v6c0 5-3.500 8-8 9-4.500-1-8-4-8-9V6zM8.500 12l2.500 2.500 4.500-5",
  plug: "M9 3v5m6-5v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
  download: "M12 4v11m-4-4l4 4 4-4M5 20h14",
  filter: "M4 5h16l-6 7.500V19l-4-2v-4.500z",
  search: "M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM15.500 15.500L20 20",
  right: "M9 5l7 7-7 7",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  share:
    "M18 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18 22a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8.600 10.500l6.800-4M8.600 13.500l6.800 4",
  print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
  truck: "M3 6h11v10H3zM14 10h4l3 3v3h-7M7 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17.500 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  mail: "M3 6h18v12H3zM3 7l9 7 9-7",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return <LineIcon path={paths[name]} size={size} weight={1.8} />;
}
