import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { openDevice } from "./device/device.ts";
import { keepAwake, keepUpdated } from "./device/updates.ts";
import { reconnectPrinter } from "./paper/printer.ts";
import { DeviceContext } from "./use-device.ts";
import "./style.css";
import "./paper/paper.css";

const device = openDevice();
keepUpdated(() => {
  const phase = device.phase();
  return phase.kind !== "open" || phase.counter.state().current.lines.length === 0;
});
keepAwake();
void reconnectPrinter().catch(() => {});
createRoot(document.getElementById("root")!).render(
  <DeviceContext value={device}>
    <App />
  </DeviceContext>,
);
