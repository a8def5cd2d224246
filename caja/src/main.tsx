import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { openDevice } from "./device/device.ts";
import { keepAwake, keepUpdated } from "./device/updates.ts";
import { reconnectPrinter } from "./paper/printer.ts";
import { listenToScanner } from "./scan/scanner.ts";
import { BrokenScreen } from "./ui/broken-screen.tsx";
import { listenToKeys } from "./ui/keys.ts";
import { UntakenScan } from "./ui/stray-scan.tsx";
import { DeviceContext } from "./use-device.ts";
import "../../src/sites/typeface/typeface.css";
import "../../ui/style.css";
import "./style.css";
import "./sell/sell.css";
import "./paper/paper.css";
import "./screens/orders.css";

const device = openDevice();
keepUpdated(() => {
  const phase = device.phase();
  return phase.kind !== "open" || phase.counter.state().current.lines.length === 0;
});
keepAwake();
listenToScanner(window);
listenToKeys(window);
void reconnectPrinter().catch(() => {});
const root = createRoot(document.getElementById("root")!, {
  onUncaughtError(error) {
    reportError(error);
    setTimeout(() => root.render(<BrokenScreen />));
  },
});
root.render(
  <DeviceContext value={device}>
    <UntakenScan />
    <App />
  </DeviceContext>,
);
