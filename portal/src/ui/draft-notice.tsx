import { Button, Group, Text } from "@mantine/core";
import type { Draft } from "../lib/drafts.ts";

/** Says that the form holds what was typed before, and lets the owner start again. */
export function DraftNotice({ draft }: { draft: Pick<Draft<object>, "isRestored" | "reset"> }) {
  if (!draft.isRestored) return null;
  return (
    <Group gap="xs" mb="sm" role="status">
      <Text size="sm" c="dimmed">
        Recuperamos lo que estaba escribiendo.
      </Text>
      <Button size="compact-sm" variant="subtle" onClick={draft.reset}>
        Empezar de cero
      </Button>
    </Group>
  );
}
