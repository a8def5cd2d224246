import { useState } from "react";
import type { PaperWidth } from "../paper/esc-pos.ts";
import {
  connectPrinter,
  hasPrinter,
  type PrinterKind,
  paperWidth,
  printerKinds,
  setPaperWidth,
} from "../paper/printer.ts";
import { useDrawer } from "../use-drawer.ts";

const kindNames: Record<PrinterKind, string> = { usb: "Conectar por USB", serial: "Conectar por puerto serial" };

/** The receipt printer of this device. Where the browser has no way to one, it prints like any page. */
export function PrinterSettings() {
  const openDrawer = useDrawer();
  const [width, setWidth] = useState(paperWidth());
  const [isConnected, setConnected] = useState(hasPrinter());
  const [problem, setProblem] = useState<string>();
  async function connect(kind: PrinterKind) {
    setProblem(undefined);
    try {
      await connectPrinter(kind);
      setConnected(true);
    } catch {
      setProblem("No se pudo abrir la impresora. Revise el cable y que ningún otro programa la esté usando.");
    }
  }
  if (printerKinds().length === 0) return null;
  return (
    <fieldset className="stack">
      <legend>Impresora de tiquetes</legend>
      <p>{isConnected ? "Conectada: los tiquetes salen por ella." : "Sin conectar: se imprime con el navegador."}</p>
      <div className="choices">
        {printerKinds().map((kind) => (
          <button key={kind} type="button" onClick={() => void connect(kind)}>
            {kindNames[kind]}
          </button>
        ))}
        {isConnected && (
          <button type="button" onClick={() => void openDrawer().catch(() => setProblem("El cajón no respondió."))}>
            Abrir el cajón
          </button>
        )}
      </div>
      <label className="field">
        <span>Ancho del papel</span>
        <select
          value={width}
          onChange={(event) => {
            const next: PaperWidth = event.currentTarget.value === "58" ? 58 : 80;
            setPaperWidth(next);
            setWidth(next);
          }}
        >
          <option value="80">80 mm</option>
          <option value="58">58 mm</option>
        </select>
      </label>
      {problem && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
