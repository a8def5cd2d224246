import { Button, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";

/** Tells a NIT's check digit while it is typed. A wrong one is told, not refused. */
export function NitHint({ number: typed, onAccept }: { number: string; onAccept: (number: string) => void }) {
  const [number] = useDebouncedValue(typed.trim(), 250);
  const reading = useQuery({
    queryKey: ["nit", number],
    queryFn: ({ signal }) => get<Answer<"GET /nit">>(`/nit${query({ number })}`, signal),
    enabled: number !== "",
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (number === "" || !reading.data) return null;
  const nit = reading.data;
  if (nit.kind === "unreadable") {
    return (
      <Text size="sm" c="dimmed" mt={4} role="status">
        Un NIT tiene de 6 a 10 cifras y su dígito de verificación: 900373923-8.
      </Text>
    );
  }
  const whole = `${nit.number}-${nit.checkDigit}`;
  const isWritten = nit.kind === "valid" && /-\d$/.test(number);
  return (
    <Text
      size="sm"
      c={nit.kind === "valid" ? "dimmed" : "var(--mantine-color-error)"}
      mt={4}
      role="status"
      component="div"
    >
      {nit.kind === "valid"
        ? `Dígito de verificación: ${nit.checkDigit}.`
        : `El dígito de verificación de ${nit.number} es ${nit.checkDigit}, no ${nit.given}. Revise el número.`}
      {!isWritten && (
        <Button variant="subtle" size="compact-sm" ml={4} onClick={() => onAccept(whole)}>
          Usar {whole}
        </Button>
      )}
    </Text>
  );
}
