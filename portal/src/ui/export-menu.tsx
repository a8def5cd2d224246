import { Button, Menu } from "@mantine/core";
import type { MouseEvent } from "react";
import type { NeededRight } from "../../../src/access/people/needed-right.ts";
import { useMay } from "../lib/queries.ts";
import { fileAddress } from "../lib/shown-business.ts";
import { downloadGuarded } from "./guarded-download.ts";
import { Icon } from "./icons.tsx";

const formats = [
  { format: "csv", title: "CSV" },
  { format: "xlsx", title: "Excel" },
  { format: "jsonl", title: "JSON Lines" },
] as const;
export type TableFormat = (typeof formats)[number]["format"];

/** Downloads the table on screen. `href` is the address under /portal/api that answers with the file. */
export function ExportMenu({
  href,
  label = "Descargar",
  right = "exports",
  hasLines = false,
  isGuarded = false,
}: {
  href: (format: TableFormat) => string;
  label?: string;
  right?: NeededRight;
  hasLines?: boolean | undefined;
  /** Whether the second step is asked for again before. */
  isGuarded?: boolean;
}) {
  const may = useMay();
  if (!may(right)) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" size={18} />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats
          .filter(({ format }) => hasLines || format !== "jsonl")
          .map(({ format, title }) => (
            <Menu.Item
              key={format}
              component="a"
              href={fileAddress(href(format))}
              download
              {...(isGuarded && { onClick: (event: MouseEvent<HTMLAnchorElement>) => void downloadGuarded(event) })}
            >
              {title}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
