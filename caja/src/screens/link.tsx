import { type FormEvent, useEffect, useState } from "react";
import { askForDemo, demoCode } from "../device/demo-offer.ts";
import { linkProblem, OtherBusinessError } from "../device/link-problem.ts";
import { useDevice } from "../use-device.ts";
import { saveUnsent } from "./lost.tsx";
import { Message } from "./message.tsx";

/** A code in the address comes from the portal's QR. It leaves the address at once: addresses are remembered. */
function codeFromAddress(): string {
  const code = new URLSearchParams(location.hash.slice(1)).get("codigo") ?? "";
  if (code !== "") history.replaceState(null, "", location.pathname);
  return code;
}

export function LinkScreen({ waiting, wasLinked }: { waiting: number; wasLinked: boolean }) {
  const device = useDevice();
  const [code, setCode] = useState(codeFromAddress);
  const [demo, setDemo] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isLinking, setLinking] = useState(false);
  const [isOther, setOther] = useState(false);
  useEffect(() => {
    void askForDemo().then(setDemo, () => {});
  }, []);
  function submit(event: FormEvent) {
    event.preventDefault();
    void link(async () => code.trim());
  }
  async function link(getCode: () => Promise<string>) {
    setLinking(true);
    setProblem(undefined);
    try {
      await device.link(await getCode());
    } catch (error) {
      setProblem(linkProblem(error));
      setOther(error instanceof OtherBusinessError);
      setLinking(false);
    }
  }
  async function startOver() {
    saveUnsent(device);
    await device.startOver();
    setOther(false);
    setProblem(undefined);
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
      {demo !== undefined && code === "" && (
        <div className="stack offer">
          <p>Esta instalación es de pruebas y trae una tienda con productos, clientes y ventas de ejemplo.</p>
          <button type="button" className="primary big" disabled={isLinking} onClick={() => void link(demoCode)}>
            Probar con «{demo}»
          </button>
          <p className="dim">O vincule la caja de un negocio suyo:</p>
        </div>
      )}
      <form className="stack" onSubmit={submit}>
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
          <small>
            Está en el portal, en Cajas → Vincular caja, donde también le da su nombre. Vence en 10 minutos.
          </small>
        </label>
        {problem && (
          <p role="alert" className="problem">
            {problem}
          </p>
        )}
        {isOther && (
          <button type="button" className="danger" onClick={() => void startOver()}>
            Guardar una copia y empezar de nuevo
          </button>
        )}
        <button
          type="submit"
          className={demo !== undefined && code === "" ? "big" : "primary big"}
          disabled={isLinking || code.trim() === ""}
        >
          {isLinking ? "Vinculando…" : "Vincular"}
        </button>
      </form>
    </Message>
  );
}
