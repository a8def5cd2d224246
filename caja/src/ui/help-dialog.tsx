import { useDevice } from "../use-device.ts";
import { Dialog } from "./dialog.tsx";
import { KeyHint } from "./key-hint.tsx";
import { type Act, keys } from "./keys.ts";
import { kept, notKept } from "./problems.ts";

/** What can be done without a mouse, and what keeps what is sold here. */
export function HelpDialog({ onClose }: { onClose: () => void }) {
  const device = useDevice();
  return (
    <Dialog title="Teclas" onClose={onClose} wide>
      <dl className="keys">
        {(Object.keys(keys) as Act[]).map((act) => (
          <div key={act}>
            <dt>{keys[act].title}</dt>
            <dd>
              <KeyHint act={act} />
            </dd>
          </div>
        ))}
        <div>
          <dt>Cinco del mismo producto: escriba 5* y escanee, o 5*código y Enter</dt>
          <dd>
            <kbd>5*</kbd>
          </dd>
        </div>
        <div>
          <dt>Marcar otra línea del tiquete</dt>
          <dd>
            <kbd>↑</kbd> <kbd>↓</kbd>
          </dd>
        </div>
        <div>
          <dt>Cerrar lo que está abierto</dt>
          <dd>
            <kbd>Esc</kbd>
          </dd>
        </div>
      </dl>
      <div className="stack">
        <p className="dim">{device.isPersisted() ? kept : notKept}</p>
        <button type="button" className="primary big" onClick={onClose}>
          Listo
        </button>
      </div>
    </Dialog>
  );
}
