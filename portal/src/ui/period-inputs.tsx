import { TextInput } from "@mantine/core";

/** The two ends of a period, as the address bar keeps them. */
export function PeriodInputs({
  filters,
  onChange,
}: {
  filters: { desde?: string; hasta?: string };
  onChange: (change: { desde: string } | { hasta: string }) => void;
}) {
  return (
    <>
      <TextInput
        label="Desde"
        type="datetime-local"
        value={filters.desde ?? ""}
        onChange={(event) => onChange({ desde: event.currentTarget.value })}
      />
      <TextInput
        label="Hasta"
        type="datetime-local"
        value={filters.hasta ?? ""}
        onChange={(event) => onChange({ hasta: event.currentTarget.value })}
      />
    </>
  );
}
