import { type FormEvent, useState } from "react";
import { profileOf } from "../../../register/business.ts";
import type { Permit } from "../../../register/cashiers.ts";
import type { CatalogProduct } from "../../../register/catalog.ts";
import { useScan } from "../scan/use-scan.ts";
import { NumberField } from "../ui/number-field.tsx";
import { Panel } from "../ui/panel.tsx";
import { storeProblem } from "../ui/problems.ts";
import { useCounter, useDevice, useOpen } from "../use-device.ts";
import { counterClasses } from "./free-line-panel.tsx";

interface Props {
  code: string;
  permit: Permit;
  onCreated: (product: CatalogProduct) => void;
  onClose: () => void;
}

/** A product for a code that nobody knew: it is sold at once, and the shop has it when there is a connection. */
export function CreateProductPanel({ code, permit, onCreated, onClose }: Props) {
  const { counter, register } = useOpen();
  const { business } = useCounter();
  const device = useDevice();
  const [name, setName] = useState("");
  const [price, setPrice] = useState<number>();
  const [tax_class, setTaxClass] = useState<string>("standard");
  const [category_id, setCategory] = useState("");
  const [sold_by_weight, setByWeight] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const categories = (register.catalog.all("category") as { id: string; name: string }[]).sort((a, b) =>
    a.name.localeCompare(b.name, "es"),
  );
  const isComplete = name.trim() !== "" && price !== undefined && price > 0;
  const per = sold_by_weight ? "Precio por kg" : "Precio";
  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isComplete || isSaving) return;
    setSaving(true);
    try {
      const about = { name: name.trim(), sku: code, tax_class, category_id: category_id || null, sold_by_weight };
      const product = await counter.addProduct({ ...about, price }, permit);
      device.wake(true);
      onCreated(product);
    } catch (error) {
      setProblem(storeProblem(error));
      setSaving(false);
    }
  }
  // The next customer does not wait for it; but nothing that was typed is lost.
  useScan({
    take() {
      if (name.trim() === "" && price === undefined) onClose();
      return "pass";
    },
  });
  return (
    <Panel title="Crear producto" onClose={onClose}>
      <form className="stack" onSubmit={(event) => void save(event)}>
        <p className="dim">Código {code}</p>
        <label className="field">
          <span>Nombre</span>
          <input
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={200}
            autoComplete="off"
            data-autofocus
          />
        </label>
        <NumberField
          label={profileOf(business).pricesIncludeTax ? `${per}, con impuestos` : `${per}, sin impuestos`}
          value={price}
          onChange={setPrice}
          meaning="price"
        />
        <div className="pair">
          <label className="field">
            <span>Impuesto</span>
            <select value={tax_class} onChange={(event) => setTaxClass(event.currentTarget.value)}>
              {counterClasses.map(([key, title]) => (
                <option key={key} value={key}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            <span>Categoría</span>
            <select value={category_id} onChange={(event) => setCategory(event.currentTarget.value)}>
              <option value="">Ninguna</option>
              {categories.map((category) => (
                <option key={category.id} value={category.id}>
                  {category.name}
                </option>
              ))}
            </select>
          </label>
        </div>
        <label className="check">
          <input
            type="checkbox"
            checked={sold_by_weight}
            onChange={(event) => setByWeight(event.currentTarget.checked)}
          />
          <span>Se vende por peso</span>
        </label>
        {problem && (
          <p role="alert" className="problem">
            {problem}
          </p>
        )}
        <button type="submit" className="primary big" disabled={!isComplete || isSaving}>
          Crear y agregar
        </button>
      </form>
    </Panel>
  );
}
