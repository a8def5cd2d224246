import { Button } from "@mantine/core";
import { useBusinessChanged } from "../lib/shown-business.ts";
import { Icon } from "./icons.tsx";

/** Says in an old tab that its session went to another business, above everything else. */
export function OtherBusinessNotice() {
  const isChanged = useBusinessChanged();
  return (
    <div role="status" aria-live="polite" className="connection-notice">
      {isChanged && (
        <p>
          <Icon name="alert" size={18} />
          <span>Esta pestaña todavía muestra el negocio anterior: en otra se pasó a otro. Aquí ya no cambia nada.</span>
          <Button size="compact-sm" style={{ pointerEvents: "auto" }} onClick={() => window.location.reload()}>
            Recargar
          </Button>
        </p>
      )}
    </div>
  );
}
