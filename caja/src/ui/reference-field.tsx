import { maxReferenceLength } from "../../../register/protocol.ts";

/** What the card terminal or the bank calls a payment. Nobody has to type it. */
export function ReferenceField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <label className="field">
      <span>Referencia (opcional)</span>
      <input
        autoComplete="off"
        maxLength={maxReferenceLength}
        placeholder="Aprobación o comprobante"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}
