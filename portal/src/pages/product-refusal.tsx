import { Alert, Text } from "@mantine/core";
import { Link } from "wouter";
import { ApiError } from "../lib/api.ts";
import { Icon } from "../ui/icons.tsx";
import { ErrorMessage } from "../ui/parts.tsx";

/** Why the service refused it. Registers that are out of date get a next step of their own. */
export function Refusal({ error }: { error: Error }) {
  if (!(error instanceof ApiError) || error.code !== "DEVICES_OUTDATED") return <ErrorMessage error={error} />;
  const names = error.devices.map(({ name }) => `«${name}»`).join(", ");
  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      my="sm"
      icon={<Icon name="alert" />}
      title="Primero actualice las cajas"
    >
      <Text size="sm">
        {names} {error.devices.length === 1 ? "tiene una versión" : "tienen una versión"} que no sabe recibir cambios de
        productos, y seguiría vendiendo con los datos de antes. No se cambió nada. Actualice la aplicación de caja, o{" "}
        <Link href="/cajas">retire las cajas que ya no usa</Link>, y guarde de nuevo.
      </Text>
    </Alert>
  );
}
