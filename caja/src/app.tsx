import { useState } from "react";
import { hasPrinter } from "./paper/printer.ts";
import { CashierScreen } from "./screens/cashier.tsx";
import { LinkScreen } from "./screens/link.tsx";
import { LostScreen } from "./screens/lost.tsx";
import { Message } from "./screens/message.tsx";
import { OpenShiftScreen } from "./screens/open-shift.tsx";
import { OrdersScreen } from "./screens/orders.tsx";
import { QuotesScreen } from "./screens/quotes.tsx";
import { SalesScreen } from "./screens/sales.tsx";
import { ShiftScreen } from "./screens/shift.tsx";
import { StockScreen } from "./screens/stock.tsx";
import { DoubtfulNumber } from "./sell/code-or-number.tsx";
import { SellScreen } from "./sell/sell-screen.tsx";
import { Authorization } from "./ui/authorization.tsx";
import { DoubledNotice } from "./ui/doubled-notice.tsx";
import { Header, type Place } from "./ui/header.tsx";
import { HelpDialog } from "./ui/help-dialog.tsx";
import { useKey } from "./ui/keys.ts";
import { LostOrders } from "./ui/lost-orders.tsx";
import { PassingNote } from "./ui/passing-note.tsx";
import { unreadableService } from "./ui/problems.ts";
import { StrayScan } from "./ui/stray-scan.tsx";
import { OpenContext, useCounterPart, useDevice, useOpen, usePhase, useStatus } from "./use-device.ts";
import { useDrawer } from "./use-drawer.ts";
import { useIdleLock } from "./use-idle-lock.ts";
import { type NewOrders, OrderBell } from "./use-orders.ts";

const noPrinter = "No hay impresora conectada, y el cajón se abre por ella. Conéctela en Turno, o ábralo con su llave.";

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
    case "lost":
      return <LostScreen unsent={phase.unsent} />;
    case "unlinked":
      return <LinkScreen waiting={phase.waiting} wasLinked={phase.wasLinked} />;
    case "open":
      return (
        <OpenContext value={phase}>
          <Authorization>
            <Counter />
          </Authorization>
        </OpenContext>
      );
  }
}

function Counter() {
  const device = useDevice();
  const status = useStatus();
  const { counter } = useOpen();
  const cashiers = useCounterPart((state) => state.cashiers);
  const cashier = useCounterPart((state) => state.cashier);
  const business = useCounterPart((state) => state.business);
  const shift = useCounterPart((state) => state.shift);
  const [place, setPlace] = useState<Place>("sell");
  const [isHelping, setHelping] = useState(false);
  const isLocked = cashiers.length > 0 && !cashier;
  const [newOrders, setNewOrders] = useState<NewOrders>({ count: 0, hasAny: false });
  useKey("orders", newOrders.hasAny ? () => setPlace("orders") : undefined);
  useKey("help", () => setHelping(true));
  useKey("lock", cashier && counter.signOut);
  const openDrawer = useDrawer();
  const [drawerProblem, setDrawerProblem] = useState<string>();
  function pressDrawer(): void {
    if (!hasPrinter()) setDrawerProblem(noPrinter);
    else void openDrawer().catch(() => setDrawerProblem("El cajón no respondió. Revise la impresora."));
  }
  useKey("drawer", isLocked ? undefined : pressDrawer);
  useIdleLock(business.lock_minutes, cashier && counter.signOut);
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
  return (
    <>
      <OrderBell isLooking={place === "orders" && !isLocked} onChange={setNewOrders} />
      {isLocked ? (
        <CashierScreen newOrders={newOrders.count} />
      ) : (
        <>
          <Header place={place} newOrders={newOrders} onGo={setPlace} onHelp={() => setHelping(true)} />
          <StrayScan place={`${place} ${shift?.id}`} onSell={shift && (() => setPlace("sell"))} />
          <DoubtfulNumber />
          <DoubledNotice />
          <LostOrders onSell={shift && (() => setPlace("sell"))} onOrders={() => setPlace("orders")} />
          {drawerProblem && (
            <PassingNote className="notice stray" onGone={() => setDrawerProblem(undefined)}>
              {drawerProblem}
            </PassingNote>
          )}
          <main>
            <PlaceScreen place={place} shiftId={shift?.id} onSell={() => setPlace("sell")} />
          </main>
          {isHelping && <HelpDialog onClose={() => setHelping(false)} />}
        </>
      )}
    </>
  );
}

/** Without an open shift, nothing is sold, quoted or moved. */
function PlaceScreen(props: { place: Place; shiftId: string | undefined; onSell: () => void }) {
  const { place, shiftId, onSell } = props;
  if (place === "shift") return <ShiftScreen />;
  if (place === "sales") return <SalesScreen key={shiftId} shiftId={shiftId} />;
  if (place === "orders") return <OrdersScreen onTakenUp={onSell} />;
  if (!shiftId) return <OpenShiftScreen />;
  if (place === "quotes") return <QuotesScreen onTakenUp={onSell} />;
  return place === "stock" ? <StockScreen /> : <SellScreen />;
}
