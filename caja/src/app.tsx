import { useState } from "react";
import { CashierScreen } from "./screens/cashier.tsx";
import { LinkScreen } from "./screens/link.tsx";
import { Message } from "./screens/message.tsx";
import { OpenShiftScreen } from "./screens/open-shift.tsx";
import { QuotesScreen } from "./screens/quotes.tsx";
import { SalesScreen } from "./screens/sales.tsx";
import { SellScreen } from "./screens/sell.tsx";
import { ShiftScreen } from "./screens/shift.tsx";
import { StockScreen } from "./screens/stock.tsx";
import { Header, type Place } from "./ui/header.tsx";
import { unreadableService } from "./ui/problems.ts";
import { OpenContext, useCounter, useDevice, usePhase, useStatus } from "./use-device.ts";

export function App() {
  const device = useDevice();
  const phase = usePhase();
  switch (phase.kind) {
    case "opening":
      return <Message title="Abriendo la caja…" />;
    case "taken":
      return (
        <Message title="La caja está abierta en otra pestaña">
          <p>Solo una puede vender, para que dos no den el mismo número. Lo que hizo la otra está guardado.</p>
          <button type="button" className="primary big" onClick={device.takeOver}>
            Usarla aquí
          </button>
        </Message>
      );
    case "failed":
      return (
        <Message title="La caja no pudo abrir">
          <p>El navegador no dejó usar su almacenamiento: {phase.message}</p>
          <p>Cierre las ventanas privadas, revise que haya espacio libre y vuelva a intentarlo.</p>
          <button type="button" className="primary big" onClick={() => location.reload()}>
            Intentar de nuevo
          </button>
        </Message>
      );
    case "unlinked":
      return <LinkScreen waiting={phase.waiting} wasLinked={phase.wasLinked} />;
    case "open":
      return (
        <OpenContext value={phase}>
          <Counter />
        </OpenContext>
      );
  }
}

function Counter() {
  const device = useDevice();
  const status = useStatus();
  const { cashiers, cashier, shift } = useCounter();
  const [place, setPlace] = useState<Place>("sell");
  if (!status.isLoaded)
    return (
      <Message title="Trayendo los productos…">
        <progress aria-label="Primera carga" />
        <p role="status">
          {device.received() > 0
            ? `Van ${device.received().toLocaleString("es-CO")} registros.`
            : "Hablando con el servicio…"}
        </p>
        {status.connection === "offline" && status.reason && <p>No hay conexión; sigue intentando.</p>}
        {status.connection === "unreadable" && <p>{unreadableService}</p>}
      </Message>
    );
  if (cashiers.length > 0 && !cashier) return <CashierScreen />;
  return (
    <>
      <Header place={place} onGo={setPlace} />
      <main>
        {place === "shift" ? (
          <ShiftScreen />
        ) : !shift ? (
          <OpenShiftScreen />
        ) : place === "sales" ? (
          <SalesScreen shiftId={shift.id} />
        ) : place === "quotes" ? (
          <QuotesScreen onTakenUp={() => setPlace("sell")} />
        ) : place === "stock" ? (
          <StockScreen />
        ) : (
          <SellScreen />
        )}
      </main>
    </>
  );
}
