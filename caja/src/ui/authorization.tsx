import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { type Cashier, may, type Permit } from "../../../register/cashiers.ts";
import { type Right, rights } from "../../../src/business/counter/rights.ts";
import { useCounter, useOpen } from "../use-device.ts";
import { Dialog } from "./dialog.tsx";
import { PinForm } from "./pin-form.tsx";
import { UnusedScan } from "./unused-scan.tsx";

/**
 * Asks whether an act may be done. Whoever is signed in and may, is not asked; otherwise somebody who may types her PIN, for this act
 * alone, and reads `what` it is about. Undefined: it may not be done.
 */
export type Authorize = (right: Right, what: readonly string[]) => Promise<Permit | undefined>;

const AuthorizationContext = createContext<Authorize>(() => Promise.resolve(undefined));

/** `const permit = await authorize("cancel", ["Venta 7"]); if (!permit) return;` and hand the permit on: both names are recorded. */
export function useAuthorization(): Authorize {
  return useContext(AuthorizationContext);
}

interface Asked {
  right: Right;
  what: readonly string[];
  answer: (permit: Permit | undefined) => void;
}

export function Authorization({ children }: { children: ReactNode }) {
  const { cashier } = useCounter();
  const [asked, setAsked] = useState<Asked>();
  const authorize: Authorize = (right, what) => {
    if (may(cashier, right)) return Promise.resolve({ right, by: undefined });
    return new Promise((resolve) => {
      const answer = (permit: Permit | undefined) => {
        setAsked(undefined);
        resolve(permit);
      };
      setAsked({ right, what, answer });
    });
  };
  return (
    <AuthorizationContext value={authorize}>
      {children}
      {asked && cashier && <SupervisorDialog key={asked.right} {...asked} />}
    </AuthorizationContext>
  );
}

/** More than these are summed up: the PIN stays in sight. */
const mostShown = 6;

function SupervisorDialog({ right, what, answer }: Asked) {
  const { counter } = useOpen();
  const { cashiers, cashier } = useCounter();
  const able = cashiers.filter((one) => may(one, right));
  const [chosen, setChosen] = useState<Cashier | undefined>(able.length === 1 ? able[0] : undefined);
  const refuse = () => answer(undefined);
  // The screen may lock meanwhile and this dialog go: then nobody allowed anything.
  const latest = useRef(refuse);
  useEffect(() => () => latest.current(), []);
  return (
    <Dialog title="Autoriza un supervisor" onClose={refuse}>
      <div className="stack">
        <p>
          {cashier?.name ?? "Esta persona"} no puede {rights[right].words}.
          {able.length > 0
            ? " Quien sí puede lo autoriza aquí con su PIN, solo por esta vez."
            : " Hoy nadie de la lista puede: el dueño da ese permiso en el portal, en Ajustes, Mostrador."}
        </p>
        <ul className="asked" aria-label="Lo que se autoriza">
          {what.slice(0, mostShown).map((text, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be alike
            <li key={i}>{text}</li>
          ))}
          {what.length > mostShown && <li>y {what.length - mostShown} más</li>}
        </ul>
        {/* What is being authorized must not be lost to the next product, nor the product go unnoticed. */}
        {!chosen && <UnusedScan what="no se agregó" />}
        {able.length === 0 ? (
          <button type="button" className="primary big" onClick={refuse} data-autofocus>
            Entendido
          </button>
        ) : !chosen ? (
          <div className="choices">
            {able.map((one, i) => (
              <button
                key={one.id}
                type="button"
                className="big"
                onClick={() => setChosen(one)}
                {...(i === 0 && { "data-autofocus": true })}
              >
                {one.name}
              </button>
            ))}
          </div>
        ) : (
          <>
            <h3>{chosen.name}</h3>
            <PinForm
              key={chosen.id}
              cashierId={chosen.id}
              action="Autorizar"
              scanned="no se agregó"
              onPin={async (pin) => {
                const isRight = await counter.confirm(chosen.id, pin);
                if (isRight) answer({ right, by: chosen });
                return isRight;
              }}
              onOther={able.length > 1 ? () => setChosen(undefined) : undefined}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}
