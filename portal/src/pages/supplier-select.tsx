import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Page } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import { type Supplier, useSupplier } from "../lib/buying-queries.ts";
import { identityOf } from "../lib/record-words.ts";

const shown = 20;
const labelOf = (supplier: Supplier): string => [supplier.name, identityOf(supplier)].filter(Boolean).join(" · ");

/** Chooses whom to buy from, by any part of the name or document. */
export function SupplierSelect({
  value,
  onChange,
  error,
}: {
  value: string | null;
  onChange: (id: string | null) => void;
  error?: string | undefined;
}) {
  const [typed, setTyped] = useState("");
  const [searched] = useDebouncedValue(typed.trim(), 250);
  const chosen = useSupplier(value).data?.supplier;
  const chosenName = chosen && labelOf(chosen);
  // The field shows the chosen name, which is no search.
  const q = searched.length >= 2 && searched !== chosenName ? searched : undefined;
  const found = useQuery({
    queryKey: ["supplier-choice", q],
    queryFn: ({ signal }) =>
      get<Page<Supplier>>(`/records/suppliers${query({ q, active: true, limit: shown })}`, signal),
    placeholderData: (before) => before,
  });
  const options = new Map((found.data?.data ?? []).map((supplier) => [supplier.id, labelOf(supplier)]));
  if (value !== null) options.set(value, chosenName ?? "Proveedor elegido");
  return (
    <Select
      label="Proveedor"
      placeholder="Nombre o NIT"
      searchable
      nothingFoundMessage={found.isFetching ? "Buscando…" : "Ningún proveedor coincide"}
      // The service searches, so every option it found is shown.
      filter={({ options: all }) => all}
      data={[...options].map(([id, text]) => ({ value: id, label: text }))}
      value={value}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
      {...(error !== undefined && { error })}
    />
  );
}
