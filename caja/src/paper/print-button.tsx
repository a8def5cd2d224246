import { KeyHint } from "../ui/key-hint.tsx";
import { useKey } from "../ui/keys.ts";

export function PrintButton({ onPrint }: { onPrint: () => void }) {
  useKey("print", onPrint);
  return (
    <button type="button" onClick={onPrint}>
      Imprimir <KeyHint act="print" />
    </button>
  );
}
