import { maxReferenceLength } from "../../../register/protocol.ts";

/** What the card terminal or the bank calls a payment. Nobody has to type it. */
export function ReferenceField(props: { label?: string; value: string; onChange: (value: string) => void }) {
  const { label = "Referencia (opcional)", value, onChange } = props;
  return (
    <label className="field">
      <span>{label}</span>
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
