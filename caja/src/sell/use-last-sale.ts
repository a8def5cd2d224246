import { useEffect, useState } from "react";
import type { KeptSale } from "../../../register/sale.ts";
import { useOpen } from "../use-device.ts";

/** The sale before: after a crash, or when its customer comes back for the ticket, it is one touch away. */
export function useLastSale(shiftId: string | undefined) {
  const { counter } = useOpen();
  const [last, setLast] = useState<KeptSale>();
  useEffect(() => {
    if (shiftId)
      void counter.salesOf(shiftId).then(
        ([newest]) => setLast(newest),
        () => {},
      );
  }, [counter, shiftId]);
  return [last, setLast] as const;
}
