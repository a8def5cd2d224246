import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { pesos, quantity } from "../../../register/format.ts";
import type { Meaning } from "../scan/burst.ts";
import { type Doubt, deliver } from "../scan/scanner.ts";
import { useAsker, useScan } from "../scan/use-scan.ts";
import { Dialog } from "../ui/dialog.tsx";
import { UnusedScan } from "../ui/unused-scan.tsx";
import { useOpen } from "../use-device.ts";
import { settleMs } from "./limits.ts";

const words: Record<Meaning, string> = {
  money: "plata",
  price: "un precio",
  quantity: "una cantidad",
  days: "una cantidad de días",
  number: "un número",
};

interface Props {
  doubt: Doubt;
  /** Whether nothing has been charged yet is what somebody wants to know here. */
  isCharging?: boolean;
  onDone: () => void;
}

/** Asks what came too quickly to be surely typed. No answer pays, and none is given by the Enter that was on its way. */
export function CodeOrNumber({ doubt, isCharging = false, onDone }: Props) {
  const { counter } = useOpen();
  const openedAt = useRef(performance.now());
  const { code, meaning } = doubt;
  const number = shown(Number(code), meaning);
  /** The question is off the screen when what was answered is done. */
  function answer(act: () => void): void {
    flushSync(onDone);
    act();
  }
  return (
    <Dialog title={`¿Es un código o ${words[meaning]}?`} onClose={onDone}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is pressed is one of its buttons */}
      <div
        className="stack"
        onKeyDown={(event) => {
          if (event.key === "Enter" && performance.now() - openedAt.current < settleMs) event.preventDefault();
        }}
      >
        <p>
          {code} es el código de {counter.find(code)?.product.name ?? "un producto"}, y llegó tan rápido como lo escribe
          un lector. {isCharging ? "Todavía no se ha cobrado nada." : "Todavía no se ha cambiado nada."}
        </p>
        <UnusedScan what="no se agregó" first="Conteste primero" />
        <div className="choices">
          {/* Once this touch is over: it would put away what is told of the code. */}
          <button
            type="button"
            className="primary big"
            onClick={() => answer(() => setTimeout(() => deliver(code)))}
            data-autofocus
          >
            Es un código{isCharging ? ": agregarlo" : ""}
          </button>
          <button type="button" className="big" onClick={() => answer(doubt.keep)}>
            Es {words[meaning]}: {number}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function shown(number: number, meaning: Meaning): string {
  if (meaning === "money" || meaning === "price") return pesos(number);
  return meaning === "days" ? `${quantity(number)} días` : quantity(number);
}

/** The same question about every other field for numbers, wherever it is. */
export function DoubtfulNumber() {
  const { counter } = useOpen();
  const [doubt, setDoubt] = useState<Doubt>();
  useScan({ isKnown: (code) => counter.find(code) !== undefined, take: () => "pass" });
  useAsker(setDoubt);
  return doubt ? <CodeOrNumber doubt={doubt} onDone={() => setDoubt(undefined)} /> : null;
}
