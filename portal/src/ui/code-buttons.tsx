import { Button, Group } from "@mantine/core";

/** The buttons of a form whose change is confirmed with a mailed code. */
export function CodeButtons({ isRequesting, onCancel }: { isRequesting: boolean; onCancel: () => void }) {
  return (
    <Group justify="flex-end" mt="lg">
      <Button variant="default" onClick={onCancel}>
        Cancelar
      </Button>
      <Button type="submit" loading={isRequesting}>
        Enviar el código
      </Button>
    </Group>
  );
}
