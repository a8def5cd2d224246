import { Button, Group } from "@mantine/core";

/** How a form ends whose change takes a mailed code. */
export function CodeButtons({ isAsking, onCancel }: { isAsking: boolean; onCancel: () => void }) {
  return (
    <Group justify="flex-end" mt="lg">
      <Button variant="default" onClick={onCancel}>
        Cancelar
      </Button>
      <Button type="submit" loading={isAsking}>
        Enviar el código
      </Button>
    </Group>
  );
}
