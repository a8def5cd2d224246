import { useEffect, useState, useSyncExternalStore } from "react";
import { type Waiting, waitingText } from "../../../register/waiting.ts";
import { useCounterPart, useDevice, useOpen, useStatus } from "../use-device.ts";
import type { NewOrders } from "../use-orders.ts";
import { initials } from "./initials.ts";
import { awayService, clockProblem, unreadableService } from "./problems.ts";

export type Place = "sell" | "orders" | "sales" | "quotes" | "stock" | "shift";

const places: [Place, string][] = [
  ["sell", "Vender"],
  ["orders", "Pedidos"],
  ["sales", "Ventas"],
  ["quotes", "Cotizaciones"],
  ["stock", "Existencias"],
  ["shift", "Turno"],
];

interface Props {
  place: Place;
  newOrders: NewOrders;
  onGo: (place: Place) => void;
  onHelp: () => void;
}

export function Header({ place, newOrders, onGo, onHelp }: Props) {
  const shown = places.filter(([key]) => key !== "orders" || newOrders.hasAny || place === "orders");
  const { counter, name } = useOpen();
  const business = useCounterPart((state) => state.business);
  const cashier = useCounterPart((state) => state.cashier);
  const device = useDevice();
  const isOutdated = useSyncExternalStore(device.subscribe, device.isOutdated);
  const wrongClock = clockProblem(useSyncExternalStore(device.subscribe, device.clockAhead));
  return (
    <header className="bar">
      <div className="who">
        <h1>{business.name || "Caja"}</h1>
        <span>{business.location ? `${business.location.name} · ${name}` : name}</span>
      </div>
      <nav aria-label="Secciones" className={shown.length > 5 ? "many" : undefined}>
        {shown.map(([key, title]) => (
          <button
            key={key}
            type="button"
            aria-current={place === key ? "page" : undefined}
            data-new={(key === "orders" && newOrders.count > 0) || undefined}
            onClick={() => onGo(key)}
          >
            {title}
            {key === "orders" && newOrders.count > 0 && (
              <span className="new-orders" role="status">
                {newOrders.count}
                <span className="hidden-text">{newOrders.count === 1 ? " nuevo" : " nuevos"}</span>
              </span>
            )}
          </button>
        ))}
      </nav>
      {isOutdated && (
        <p role="alert" className="problem">
          Esta caja es de una versión que el servicio ya no entiende. Lo vendido está guardado: termine el tiquete y{" "}
          <button type="button" onClick={() => location.reload()}>
            cárguela de nuevo
          </button>
        </p>
      )}
      {wrongClock && (
        <p role="alert" className="problem">
          {wrongClock}
        </p>
      )}
      <div className="state">
        <ConnectionPill />
        {cashier && (
          <button
            type="button"
            className="quiet person"
            onClick={counter.signOut}
            title="Bloquear o cambiar de persona"
          >
            <b aria-hidden="true">{initials(cashier.name)}</b>
            <span>{cashier.name}</span>
          </button>
        )}
        <button type="button" className="quiet help" onClick={onHelp} aria-label="Teclas" title="Teclas (F1)">
          ?
        </button>
      </div>
    </header>
  );
}

/** What waits, counted anew with each record that is stored or acknowledged. */
function useWaiting(records: number): Waiting {
  const { register } = useOpen();
  const [counted, setCounted] = useState<Waiting>({ sales: 0, others: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of records says when
  useEffect(() => {
    let isCurrent = true;
    void register.waiting().then(
      (now) => isCurrent && setCounted(now),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [register, records]);
  return counted;
}

/** Says quietly how the register stands with the server, and how much waits. */
function ConnectionPill() {
  const { connection, waiting } = useStatus();
  const words = waitingText(useWaiting(waiting));
  const count = words && ` · ${words}`;
  const text =
    connection === "online"
      ? waiting > 0
        ? "Subiendo"
        : "Al día"
      : connection === "inactive"
        ? `Cuenta inactiva${count}`
        : connection === "unreadable"
          ? `El servicio no se entiende${count}`
          : `Sin conexión${count}`;
  return (
    <span
      role="status"
      className={`pill ${connection === "online" ? "good" : "waiting"}`}
      title={connection === "unreadable" ? unreadableService : connection === "offline" ? awayService : undefined}
    >
      {text}
    </span>
  );
}
