import { Select } from "@mantine/core";
import type { CashSession, SaleDetail } from "../lib/answers.ts";
import { moment } from "../lib/format.ts";
import { useRecords } from "../lib/queries.ts";

/** The money of a refund comes from no register. */
export const noDrawer = "none";

export interface Drawer {
  /** The shift that pays, `noDrawer`, or null while nobody has chosen. */
  chosen: string | null;
  /** Its register, for what is said afterwards. */
  name: string | undefined;
  options: { value: string; label: string }[];
}

/** From which drawer a refund in cash may come. The sale's own is proposed while its shift is open; of others one is chosen. */
export function useDrawer({ shift }: Pick<SaleDetail, "shift">, wanted: string | null): Drawer {
  const open = useRecords<CashSession>("/cash-sessions", { status: "open" }).data;
  const own = open?.find(({ id }) => id === shift?.id)?.id;
  const proposed = own ?? (open?.length === 0 ? noDrawer : null);
  const kept = wanted === noDrawer || open?.some(({ id }) => id === wanted) ? wanted : null;
  const chosen = kept ?? proposed;
  return {
    chosen,
    name: open?.find(({ id }) => id === chosen)?.register_name,
    options: [
      ...(open ?? []).map((one) => ({ value: one.id, label: `${one.register_name}, ${openedWords(one)}` })),
      { value: noDrawer, label: "De ninguna caja" },
    ],
  };
}

function openedWords({ opened_by, opened_at }: CashSession): string {
  return `turno${opened_by ? ` de ${opened_by}` : ""} abierto el ${moment(opened_at)}`;
}

export function DrawerSelect({
  drawer: { chosen, options },
  onChange,
}: {
  drawer: Drawer;
  onChange: (chosen: string | null) => void;
}) {
  return (
    <Select
      label="De qué caja sale el efectivo"
      description="El turno de esa caja lo resta de lo que debe haber en su cajón."
      placeholder="Elija una"
      data={options}
      value={chosen}
      onChange={onChange}
      allowDeselect={false}
    />
  );
}
