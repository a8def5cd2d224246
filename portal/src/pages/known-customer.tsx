import { Alert, Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { isSameDocument, plainDigits } from "../../../src/taxes/document-number.ts";
import type { Customer, Page } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import { customerName } from "../lib/record-words.ts";
import { Icon } from "../ui/icons.tsx";

/** Whoever has the document that is being typed for a new customer. */
export function KnownCustomer({ number: typed, onUse }: { number: string; onUse: (customer: Customer) => void }) {
  const [number] = useDebouncedValue(typed.trim(), 250);
  const found = useQuery({
    queryKey: ["customer-with-document", number],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        [{ document_number: number }, { q: plainDigits(number) }].map((by) =>
          get<Page<Customer>>(`/records/customers${query({ ...by, limit: 20 })}`, signal),
        ),
      );
      const all = pages.flatMap(({ data }) => data);
      return all.find(({ document_number }) => isSameDocument(number, document_number ?? "")) ?? null;
    },
    enabled: isSameDocument(number, number),
    retry: false,
  });
  const known = found.data;
  if (!known || !isSameDocument(typed, known.document_number ?? "")) return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      mt="sm"
      role="status"
      icon={<Icon name="alert" />}
      title={`Ese documento ya es de ${customerName(known)}`}
    >
      <Button variant="default" size="xs" onClick={() => onUse(known)}>
        Usar ese cliente
      </Button>
    </Alert>
  );
}
