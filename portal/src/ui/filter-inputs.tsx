import { Select, TextInput } from "@mantine/core";

/** A filter that can be cleared. */
export function FilterSelect({
  label,
  clearLabel,
  value,
  onChange,
  options,
}: {
  label: string;
  clearLabel: string;
  value: string | undefined;
  onChange: (value: string | null) => void;
  options: { value: string; label: string }[];
}) {
  return (
    <Select
      label={label}
      clearable
      placeholder="Todos"
      clearButtonProps={{ "aria-label": clearLabel }}
      value={value ?? null}
      onChange={onChange}
      data={options}
    />
  );
}

/** The start and end of a period, kept in the address. */
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
