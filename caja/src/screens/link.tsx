import { type FormEvent, useEffect, useState } from "react";
import { askForDemo, type DemoOffer, demoCode } from "../device/demo-offer.ts";
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

/** How often it is asked for while it is being built. */
const askAgainMs = 2_000;

/** The shop to try, as soon as there is one. */
function useDemo(): DemoOffer {
  const [offer, setOffer] = useState<DemoOffer>({ kind: "none" });
  useEffect(() => {
    let isWanted = true;
    let later: ReturnType<typeof setTimeout> | undefined;
    async function ask(): Promise<void> {
      const answer = await askForDemo();
      if (!isWanted) return;
      setOffer(answer);
      if (answer.kind === "coming") later = setTimeout(begin, askAgainMs);
    }
    const begin = () => void ask().catch(() => {});
    begin();
    return () => {
      isWanted = false;
      clearTimeout(later);
    };
  }, []);
  return offer;
}

export function LinkScreen({ waiting, wasLinked }: { waiting: number; wasLinked: boolean }) {
  const device = useDevice();
  const demo = useDemo();
  const [code, setCode] = useState(codeFromAddress);
  const [problem, setProblem] = useState<string>();
  const [isLinking, setLinking] = useState(false);
  const [isOther, setOther] = useState(false);
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
      {demo.kind === "coming" && code === "" && (
        <div className="stack offer" role="status">
          <p>Se está preparando una tienda de ejemplo. En menos de un minuto podrá probarla aquí.</p>
          <progress aria-label="Preparando la tienda de ejemplo" />
          <p className="dim">O vincule la caja de un negocio suyo:</p>
        </div>
      )}
      {demo.kind === "shop" && code === "" && (
        <div className="stack offer">
          <p>Esta instalación es de pruebas y trae una tienda con productos, clientes y ventas de ejemplo.</p>
          <button type="button" className="primary big" disabled={isLinking} onClick={() => void link(demoCode)}>
            Probar con «{demo.name}»
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
          className={demo.kind === "shop" && code === "" ? "big" : "primary big"}
          disabled={isLinking || code.trim() === ""}
        >
          {isLinking ? "Vinculando…" : "Vincular"}
        </button>
      </form>
    </Message>
  );
}
