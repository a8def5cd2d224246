import { useRef } from "react";
import { pesos } from "../../../register/format.ts";
import { Dialog } from "../ui/dialog.tsx";
import { UnusedScan } from "../ui/unused-scan.tsx";
import { useOpen } from "../use-device.ts";
import { settleMs } from "./limits.ts";

interface Props {
  code: string;
  onCode: () => void;
  onMoney: () => void;
  onClose: () => void;
}

/** Asks what came too quickly to be surely typed. No answer pays, and none is given by the Enter that was on its way. */
export function CodeOrMoney({ code, onCode, onMoney, onClose }: Props) {
  const { counter } = useOpen();
  const openedAt = useRef(performance.now());
  return (
    <Dialog title="¿Es un código o plata?" onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is pressed is one of its buttons */}
      <div
        className="stack"
        onKeyDown={(event) => {
          if (event.key === "Enter" && performance.now() - openedAt.current < settleMs) event.preventDefault();
        }}
      >
        <p>
          {code} es el código de {counter.find(code)?.product.name ?? "un producto"}, y llegó tan rápido como lo escribe
          un lector. Todavía no se ha cobrado nada.
        </p>
        <UnusedScan what="no se agregó" first="Conteste primero" />
        <div className="choices">
          <button type="button" className="primary big" onClick={onCode} data-autofocus>
            Es un código: agregarlo
          </button>
          <button type="button" className="big" onClick={onMoney}>
            Es plata: {pesos(Number(code))}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
