import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useRef, useState } from "react";
import type { Page } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import { number } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import type { ListedProduct } from "../lib/stock-queries.ts";

const filters = { counted: "true", active: "true" };
const hasCode = (code: string) => (product: ListedProduct) => product.sku === code || product.codes.includes(code);

/**
 * Finds a product by name or code. A scanner's code is taken at once, with the Enter that it sends, however fast it comes; the field
 * is ready for the next one.
 */
export function ProductFinder({
  label,
  onFound,
  error,
}: {
  label: string;
  onFound: (product: ListedProduct) => void;
  error?: string | undefined;
}) {
  const [typed, setTyped] = useState("");
  const [unknown, setUnknown] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const [q] = useDebouncedValue(typed.trim(), 200);
  const found = useList<ListedProduct>("/products", { ...filters, ...(q !== "" && { q }) }).data ?? [];
  const choices = found.filter(({ variants }) => variants === 0);
  function take(product: ListedProduct): void {
    onFound(product);
    setTyped("");
    setUnknown(undefined);
    input.current?.focus();
  }
  async function scan(code: string): Promise<void> {
    const { data } = await get<Page<ListedProduct>>(`/products${query({ ...filters, q: code, limit: 20 })}`);
    const exact = data.find(hasCode(code)) ?? (data.length === 1 ? data[0] : undefined);
    if (exact && exact.variants === 0) take(exact);
    else setUnknown(data.length === 0 ? `Ningún producto tiene «${code}». Créelo en Productos.` : undefined);
  }
  return (
    <Select
      ref={input}
      label={label}
      placeholder="Nombre o código; el lector también sirve"
      searchable
      value={null}
      searchValue={typed}
      onSearchChange={(text) => {
        setTyped(text);
        setUnknown(undefined);
      }}
      filter={({ options }) => options}
      nothingFoundMessage="Ningún producto coincide"
      error={unknown ?? error}
      data={choices.map(({ id, name, sku, stock, base_unit }) => ({
        value: id,
        label: `${name}${sku ? ` · ${sku}` : ""} (hay ${number(stock ?? 0)} ${base_unit})`,
      }))}
      onKeyDownCapture={(event) => {
        const code = typed.trim();
        // An arrow has chosen one of the list: Enter takes that.
        const isChosen = input.current?.getAttribute("aria-activedescendant");
        if (event.key !== "Enter" || code === "" || isChosen) return;
        event.preventDefault();
        event.stopPropagation();
        void scan(code);
      }}
      onChange={(id) => {
        const product = choices.find((one) => one.id === id);
        if (product) take(product);
      }}
    />
  );
}
