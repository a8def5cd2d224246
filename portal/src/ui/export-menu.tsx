import { Button, Menu } from "@mantine/core";
import type { MouseEvent } from "react";
import type { NeededRight } from "../../../src/access/people/needed-right.ts";
import { get } from "../lib/api.ts";
import { useMay } from "../lib/queries.ts";
import type { SecondStep } from "../lib/second-step.ts";
import { fileAddress } from "../lib/shown-business.ts";
import { askStepUp } from "../lib/step-up.ts";
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
  async function downloadGuarded(event: MouseEvent<HTMLAnchorElement>) {
    event.preventDefault();
    const { href: address } = event.currentTarget;
    const { kinds, stepped_up_until } = await get<SecondStep>("/second-step");
    if (kinds.length === 0 || stepped_up_until !== null || (await askStepUp(kinds))) window.location.assign(address);
  }
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
