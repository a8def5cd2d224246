import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer, Customer, Page } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import { customerName, identityOf } from "../lib/record-words.ts";
import type { OwnInput } from "./filter-bar.tsx";

const shown = 20;

/** Chooses one of the customers by any part of its name, document, phone or e-mail. */
export function CustomerSelect({
  label,
  value,
  onChange,
  error,
  placeholder = "Nombre o documento",
}: {
  label: string;
  value: string | null;
  onChange: (id: string | null) => void;
  error?: string | undefined;
  placeholder?: string;
}) {
  const [typed, setTyped] = useState("");
  const [searched] = useDebouncedValue(typed.trim(), 250);
  const chosen = useQuery({
    queryKey: ["customer", value],
    queryFn: ({ signal }) => get<Answer<"GET /customers/:id">>(`/customers/${value}`, signal),
    enabled: value !== null,
    retry: false,
  });
  const chosenName = chosen.data && labelOf(chosen.data.customer);
  // The field shows the chosen name, which is no search.
  const q = searched.length >= 2 && searched !== chosenName ? searched : undefined;
  const found = useQuery({
    queryKey: ["customer-choice", q],
    queryFn: ({ signal }) => get<Page<Customer>>(`/records/customers${query({ q, limit: shown })}`, signal),
    placeholderData: (before) => before,
  });
  const options = new Map((found.data?.data ?? []).map((customer) => [customer.id, labelOf(customer)]));
  if (value !== null) options.set(value, chosenName ?? "Cliente elegido");
  return (
    <Select
      label={label}
      placeholder={placeholder}
      searchable
      clearable
      clearButtonProps={{ "aria-label": `Quitar ${label.toLowerCase()}` }}
      nothingFoundMessage={found.isFetching ? "Buscando…" : "Ningún cliente coincide"}
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

/** The same as a filter of a list. */
export function CustomerFilter({ label, value, onChange }: OwnInput) {
  return <CustomerSelect label={label} value={value ?? null} onChange={onChange} placeholder="Todos" />;
}

function labelOf(customer: Customer): string {
  return [customerName(customer), identityOf(customer)].filter(Boolean).join(" · ");
}
