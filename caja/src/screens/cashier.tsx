import { useState } from "react";
import type { Cashier } from "../../../register/cashiers.ts";
import { PinForm } from "../ui/pin-form.tsx";
import { UnusedScan } from "../ui/unused-scan.tsx";
import { useFirstField } from "../ui/use-first-field.ts";
import { useCounter, useOpen } from "../use-device.ts";
import { Message } from "./message.tsx";

export function CashierScreen() {
  const { counter } = useOpen();
  const { cashiers } = useCounter();
  const [chosen, setChosen] = useState(cashiers.length === 1 ? cashiers[0]!.id : undefined);
  if (!chosen) return <Choice cashiers={cashiers} onChoose={setChosen} />;
  return (
    <Message title={cashiers.find(({ id }) => id === chosen)?.name ?? "¿Quién atiende?"}>
      <PinForm
        cashierId={chosen}
        action="Entrar"
        onPin={(pin) => counter.signIn(chosen, pin)}
        onOther={cashiers.length > 1 ? () => setChosen(undefined) : undefined}
      />
    </Message>
  );
}

function Choice({ cashiers, onChoose }: { cashiers: readonly Cashier[]; onChoose: (id: string) => void }) {
  const names = useFirstField<HTMLDivElement>();
  return (
    <Message title="¿Quién atiende?">
      <div ref={names} className="choices">
        {cashiers.map(({ id, name }) => (
          <button key={id} type="button" className="big" onClick={() => onChoose(id)}>
            {name}
          </button>
        ))}
      </div>
      <UnusedScan first="Entre primero" />
    </Message>
  );
}
