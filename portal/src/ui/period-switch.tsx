import { SegmentedControl } from "@mantine/core";
import { useFilters } from "../lib/address.ts";
import type { Figures } from "../lib/answers.ts";

/** The period that a page's figures cover, kept in its address. */
export function usePeriod(): Figures["period"] {
  return useFilters(["periodo"])[0].periodo === "7d" ? "7d" : "24h";
}

export function PeriodSwitch({ size }: { size?: "xs" }) {
  const setFilters = useFilters(["periodo"])[1];
  return (
    <SegmentedControl
      size={size}
      aria-label="Periodo"
      value={usePeriod()}
      onChange={(value) => setFilters({ periodo: value === "24h" ? null : value })}
      data={[
        { value: "24h", label: "24 horas" },
        { value: "7d", label: "7 días" },
      ]}
    />
  );
}
