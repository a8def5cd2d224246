import { ActionIcon, Indicator, Popover, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { get, post } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { Icon } from "./icons.tsx";
import { ErrorMessage, Time } from "./parts.tsx";

type Notices = Answer<"GET /notices">;

/** What was told by mail, where somebody who works in the portal sees it. Opening it is reading it. */
export default function Bell() {
  const [isOpen, setOpen] = useState(false);
  const notices = useQuery({
    queryKey: ["notices"],
    queryFn: ({ signal }) => get<Notices>("/notices", signal),
    refetchInterval: 60_000,
  });
  const unread = notices.data?.unread ?? 0;
  function toggle(next: boolean) {
    setOpen(next);
    if (next && unread > 0) void post("/notices/seen");
    // What was new stays marked for as long as it is looked at.
    if (!next) void client.invalidateQueries({ queryKey: ["notices"] });
  }
  const label = unread === 0 ? "Avisos" : `Avisos: ${unread} sin leer`;
  return (
    <Popover opened={isOpen} onChange={toggle} position="bottom-end" width={340} withinPortal trapFocus>
      <Indicator label={unread} size={16} color="red.9" disabled={unread === 0} offset={6}>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            title={label}
            aria-label={label}
            onClick={() => toggle(!isOpen)}
          >
            <Icon name="bell" />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} aria-label="Avisos">
        <ErrorMessage error={notices.error} />
        {notices.data && <List notices={notices.data.data} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function List({ notices }: { notices: Notices["data"] }) {
  if (notices.length === 0)
    return (
      <Text p="md" c="dimmed">
        No hay avisos de los últimos 30 días.
      </Text>
    );
  return (
    <section aria-label="Lista de avisos" style={{ maxHeight: "60dvh", overflowY: "auto" }}>
      <ul className="quiet-list">
        {notices.map((notice) => (
          <li key={notice.id} style={{ padding: "0.6rem 1rem", overflowWrap: "anywhere" }}>
            <Text size="sm" fw={notice.is_new ? 700 : 400}>
              {notice.title}
            </Text>
            {notice.lines.map((line) => (
              <Text key={line} size="xs" c="dimmed">
                {line}
              </Text>
            ))}
            <Text size="xs" c="dimmed">
              <Time at={notice.at} relative />
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}
