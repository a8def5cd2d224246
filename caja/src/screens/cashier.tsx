import { type ReactNode, useState } from "react";
import type { Cashier } from "../../../register/cashiers.ts";
import { PinForm } from "../ui/pin-form.tsx";
import { UnusedScan } from "../ui/unused-scan.tsx";
import { useFirstField } from "../ui/use-first-field.ts";
import { useCounter, useOpen } from "../use-device.ts";
import { Message } from "./message.tsx";

export function CashierScreen({ newOrders }: { newOrders: number }) {
  const { counter } = useOpen();
  const { cashiers } = useCounter();
  const [chosen, setChosen] = useState(cashiers.length === 1 ? cashiers[0]!.id : undefined);
  const waiting = newOrders > 0 && (
    <p role="status" className="notice">
      {newOrders === 1 ? "Hay 1 pedido nuevo" : `Hay ${newOrders} pedidos nuevos`}: entre para atenderlo
      {newOrders === 1 ? "" : "s"}.
    </p>
  );
  if (!chosen) return <Choice cashiers={cashiers} waiting={waiting} onChoose={setChosen} />;
  return (
    <Message title={cashiers.find(({ id }) => id === chosen)?.name ?? "¿Quién atiende?"}>
      {waiting}
      <PinForm
        cashierId={chosen}
        action="Entrar"
        onPin={(pin) => counter.signIn(chosen, pin)}
        onOther={cashiers.length > 1 ? () => setChosen(undefined) : undefined}
      />
    </Message>
  );
}

interface ChoiceProps {
  cashiers: readonly Cashier[];
  waiting: ReactNode;
  onChoose: (id: string) => void;
}

function Choice({ cashiers, waiting, onChoose }: ChoiceProps) {
  const names = useFirstField<HTMLDivElement>();
  return (
    <Message title="¿Quién atiende?">
      {waiting}
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
