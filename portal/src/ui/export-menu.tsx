import { Button, Menu } from "@mantine/core";
import { Icon } from "./icons.tsx";

const formats = [
  { format: "csv", title: "CSV" },
  { format: "xlsx", title: "Excel" },
] as const;
export type TableFormat = (typeof formats)[number]["format"];

/** Downloads the table on screen. `href` is the address under /portal/api that answers with the file. */
export function ExportMenu({ href, label = "Descargar" }: { href: (format: TableFormat) => string; label?: string }) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" size={18} />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map(({ format, title }) => (
          <Menu.Item key={format} component="a" href={`/portal/api${href(format)}`} download>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
