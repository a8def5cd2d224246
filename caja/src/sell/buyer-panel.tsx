import { useScan } from "../scan/use-scan.ts";
import { Panel } from "../ui/panel.tsx";
import { BuyerFields } from "./buyer.tsx";

/** For whom the ticket is, and which document they get. */
export function BuyerPanel({ onClose }: { onClose: () => void }) {
  useScan({
    take() {
      onClose();
      return "pass";
    },
  });
  return (
    <Panel title="Cliente y documento" onClose={onClose}>
      <div className="stack">
        <BuyerFields isOpen onChosen={onClose} />
        <button type="button" className="primary" onClick={onClose}>
          Listo
        </button>
      </div>
    </Panel>
  );
}
