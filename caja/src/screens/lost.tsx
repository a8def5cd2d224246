import { useState } from "react";
import type { Device } from "../device/device.ts";
import { useDevice } from "../use-device.ts";
import { Message } from "./message.tsx";

/** What never reached the server leaves as a file, so that nothing that was charged is lost. */
export function saveUnsent(device: Device): void {
  const address = URL.createObjectURL(new Blob([device.unsentFile()], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: "caja-sin-subir.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Somebody cleared the browser's data, or the disk failed, while the register was open. */
export function LostScreen({ unsent }: { unsent: number }) {
  const device = useDevice();
  const [isSaved, setSaved] = useState(false);
  if (unsent === 0)
    return (
      <Message title="El navegador borró los datos de esta caja">
        <p>Todo lo que vendió ya está en el servicio. Vincúlela otra vez con un código del portal, en Cajas.</p>
        <Reload />
      </Message>
    );
  return (
    <Message title="El navegador borró los datos de esta caja">
      <p>
        {unsent === 1 ? "Hay 1 registro que no alcanzó a subir" : `Hay ${unsent} registros que no alcanzaron a subir`} y
        solo están en esta ventana. No la cierre: guárdelos primero en un archivo.
      </p>
      <button
        type="button"
        className="primary big"
        onClick={() => {
          saveUnsent(device);
          setSaved(true);
        }}
      >
        Guardar el archivo
      </button>
      {isSaved && (
        <>
          <p role="status">
            Súbalo en el portal, en Cajas → Subir archivo de una caja: de ahí pasan a sus ventas, una sola vez cada uno.
            Después vincule la caja de nuevo.
          </p>
          <Reload />
        </>
      )}
    </Message>
  );
}

function Reload() {
  return (
    <button type="button" className="big" onClick={() => location.reload()}>
      Vincular de nuevo
    </button>
  );
}
