import type { CatalogProduct, CatalogVariant } from "../../../register/catalog.ts";
import { pesos } from "../../../register/format.ts";
import { useScan } from "../scan/use-scan.ts";
import { Panel } from "../ui/panel.tsx";

export function VariantPanel(props: {
  product: CatalogProduct;
  onChoose: (variant: CatalogVariant) => void;
  onClose: () => void;
}) {
  const { product, onChoose, onClose } = props;
  useScan({
    take() {
      onClose();
      return "pass";
    },
  });
  return (
    <Panel title={product.name} onClose={onClose}>
      <div className="choices">
        {product.variants
          .filter(({ active }) => active !== false)
          .map((variant, i) => (
            <button
              key={variant.id}
              type="button"
              className="big"
              onClick={() => onChoose(variant)}
              {...(i === 0 && { "data-autofocus": true })}
            >
              {variant.label} · {pesos(variant.final_price || product.final_price)}
            </button>
          ))}
      </div>
    </Panel>
  );
}
