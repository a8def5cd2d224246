import { Button, Menu } from "@mantine/core";
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
  hasLines = false,
}: {
  href: (format: TableFormat) => string;
  label?: string;
  hasLines?: boolean | undefined;
}) {
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
            <Menu.Item key={format} component="a" href={`/portal/api${href(format)}`} download>
              {title}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
