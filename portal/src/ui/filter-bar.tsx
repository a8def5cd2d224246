import { Button, Select, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ComponentType, type FormEvent, useEffect, useState } from "react";
import { useFilters } from "../lib/address.ts";
import { Icon } from "./icons.tsx";

interface Option {
  value: string;
  label: string;
}

/** A filter of a list; its name is its place in the address. */
export type Filter<K extends string = string> = { name: K; label: string } & (
  | { kind: "choice"; options: readonly Option[]; placeholder?: string }
  | { kind: "date" }
  | { kind: "text" | "amount"; placeholder?: string }
  | { kind: "own"; input: ComponentType<OwnInput> }
);

/** What an input of a page's own gets, such as one that searches while it is typed in. */
export interface OwnInput {
  label: string;
  value: string | undefined;
  onChange: (value: string | null) => void;
}

/**
 * The values of a list's filters, kept in the address: `values` for the query, and what `FilterBar` needs. `clear` is
 * undefined when no filter is set.
 */
export function useFilterBar<const K extends string>(filters: readonly Filter<K>[]) {
  const names = filters.map(({ name }) => name);
  const [values, change] = useFilters(names);
  const isFiltered = Object.keys(values).length > 0;
  const clear = isFiltered
    ? () => change(Object.fromEntries(names.map((name) => [name, null])) as Record<K, null>)
    : undefined;
  const set = (name: K, value: string | null) => change({ [name]: value } as Record<K, string | null>);
  const bar: Bar = { filters, values, set, clear };
  return { values, clear, bar };
}

interface Bar {
  filters: readonly Filter[];
  values: Partial<Record<string, string>>;
  /** A method, so that a bar that knows its names is one of any names. */
  set(name: string, value: string | null): void;
  clear: (() => void) | undefined;
}

/** Every change takes effect at once; a typed text does so when the field is left or on Enter. */
export function FilterBar({ bar: { filters, values, set, clear } }: { bar: Bar }) {
  const [isOpen, { toggle }] = useDisclosure();
  const count = Object.keys(values).length;
  return (
    <search aria-label="Filtros">
      <Button
        className="filters-toggle"
        variant="default"
        leftSection={<Icon name="filter" size={18} />}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {count === 0 ? "Filtrar" : `Filtros (${count})`}
      </Button>
      <div className={isOpen ? "toolbar folds is-open" : "toolbar folds"}>
        {filters.map((filter) => (
          <Field
            key={filter.name}
            filter={filter}
            value={values[filter.name]}
            onChange={(value) => set(filter.name, value)}
          />
        ))}
        {clear && (
          <Button className="tight" variant="subtle" color="gray" onClick={clear}>
            Quitar los filtros
          </Button>
        )}
      </div>
    </search>
  );
}

function Field({
  filter,
  value,
  onChange,
}: {
  filter: Filter;
  value: string | undefined;
  onChange: (value: string | null) => void;
}) {
  if (filter.kind === "choice") {
    return (
      <Select
        label={filter.label}
        placeholder={filter.placeholder ?? "Todos"}
        clearable
        searchable={filter.options.length > 10}
        nothingFoundMessage="Nada coincide"
        clearButtonProps={{ "aria-label": `Quitar el filtro de ${filter.label.toLowerCase()}` }}
        data={filter.options}
        value={value ?? null}
        onChange={onChange}
      />
    );
  }
  if (filter.kind === "date") {
    return (
      <TextInput
        label={filter.label}
        type="date"
        value={value ?? ""}
        onChange={(event) => onChange(event.currentTarget.value || null)}
      />
    );
  }
  if (filter.kind === "own") return <filter.input label={filter.label} value={value} onChange={onChange} />;
  return <TypedField filter={filter} value={value ?? ""} onChange={onChange} />;
}

function TypedField({
  filter,
  value,
  onChange,
}: {
  filter: Filter & { kind: "text" | "amount" };
  value: string;
  onChange: (value: string | null) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const isAmount = filter.kind === "amount";
  function apply(event?: FormEvent) {
    event?.preventDefault();
    const typed = isAmount ? text.replace(/\D/g, "") : text.trim();
    if (typed !== value) onChange(typed || null);
    setText(typed);
  }
  return (
    <form onSubmit={apply}>
      <TextInput
        label={filter.label}
        placeholder={filter.placeholder}
        maxLength={100}
        {...(isAmount && { inputMode: "numeric" as const })}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => apply()}
      />
    </form>
  );
}
