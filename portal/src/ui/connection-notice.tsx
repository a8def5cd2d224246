import { useConnectionLost } from "../lib/connection.ts";
import { Icon } from "./icons.tsx";

/** Says that the service does not answer, above everything else, dialogs included. */
export function ConnectionNotice() {
  const isLost = useConnectionLost();
  return (
    <div role="status" aria-live="polite" className="connection-notice">
      {isLost && (
        <p>
          <Icon name="alert" size={18} />
          <span>Sin conexión con el servicio. Lo que escribió sigue aquí y la página se conecta sola.</span>
        </p>
      )}
    </div>
  );
}
