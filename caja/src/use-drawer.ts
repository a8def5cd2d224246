import { hasPrinter, openDrawer } from "./paper/printer.ts";
import { useAuthorization } from "./ui/authorization.tsx";
import { useDevice, useOpen } from "./use-device.ts";

/** Opens the drawer without a sale, if somebody may; the owner sees each time. Rejects when the printer does not answer. */
export function useDrawer(): () => Promise<void> {
  const { counter } = useOpen();
  const device = useDevice();
  const authorize = useAuthorization();
  return async () => {
    const permit = hasPrinter() ? await authorize("drawer", ["Sin una venta"]) : undefined;
    if (!permit) return;
    await openDrawer();
    await counter.note({ kind: "drawer_opened" }, permit);
    device.wake();
  };
}
