import { type FormEvent, useState } from "react";
import { linkProblem, OtherBusinessError } from "../device/device.ts";
import { useDevice } from "../use-device.ts";
import { Message } from "./message.tsx";

/** A code in the address comes from the portal's QR. It leaves the address at once: addresses are remembered. */
function codeFromAddress(): string {
  const code = new URLSearchParams(location.hash.slice(1)).get("codigo") ?? "";
  if (code !== "") history.replaceState(null, "", location.pathname);
  return code;
}

/** What never reached the server leaves as a file, so that nothing that was charged is lost. */
async function saveCopy(text: Promise<string>): Promise<void> {
  const address = URL.createObjectURL(new Blob([await text], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: "caja-sin-subir.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function LinkScreen({ waiting, wasLinked }: { waiting: number; wasLinked: boolean }) {
  const device = useDevice();
  const [code, setCode] = useState(codeFromAddress);
  const [name, setName] = useState("Caja 1");
  const [problem, setProblem] = useState<string>();
  const [isLinking, setLinking] = useState(false);
  const [isOther, setOther] = useState(false);
  async function submit(event: FormEvent) {
    event.preventDefault();
    setLinking(true);
    setProblem(undefined);
    try {
      await device.link(code.trim(), name.trim());
    } catch (error) {
      setProblem(linkProblem(error));
      setOther(error instanceof OtherBusinessError);
      setLinking(false);
    }
  }
  return (
    <Message title={wasLinked ? "Esta caja ya no está vinculada" : "Vincule esta caja"}>
      {wasLinked && (
        <p>
          Se retiró desde el portal, su clave se cambió en otro equipo, o el servicio volvió a una copia anterior.{" "}
          {waiting === 1 && "Hay 1 registro sin subir: está guardado y subirá al vincularla de nuevo."}
          {waiting > 1 && `Hay ${waiting} registros sin subir: están guardados y subirán al vincularla de nuevo.`}
        </p>
      )}
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <label className="field">
          <span>Código del portal</span>
          <input
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            placeholder="ABCDE-FGHIJ"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            required
          />
          <small>Está en el portal, en Cajas → Vincular caja. Vence en 10 minutos.</small>
        </label>
        <label className="field">
          <span>Nombre de la caja</span>
          <input value={name} onChange={(event) => setName(event.currentTarget.value)} maxLength={100} required />
        </label>
        {problem && (
          <p role="alert" className="problem">
            {problem}
          </p>
        )}
        {isOther && (
          <button type="button" className="danger" onClick={() => void saveCopy(device.startOver())}>
            Guardar una copia y empezar de nuevo
          </button>
        )}
        <button type="submit" className="primary big" disabled={isLinking || code.trim() === ""}>
          {isLinking ? "Vinculando…" : "Vincular"}
        </button>
      </form>
    </Message>
  );
}
