import { Alert, Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { isSameDocument } from "../../../src/taxes/document-number.ts";
import type { Answer, Customer } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import { customerName } from "../lib/record-words.ts";
import { Icon } from "../ui/icons.tsx";

/** Whoever has a document, however it is written; null for a number that is still being typed. */
export async function customerWithDocument(number: string, signal?: AbortSignal): Promise<Customer | null> {
  if (!isSameDocument(number, number)) return null;
  const path = `/customers/with-document${query({ number })}`;
  return (await get<Answer<"GET /customers/with-document">>(path, signal)).customer;
}

/** Whoever has the document that is being typed for a new customer. */
export function useKnownCustomer(typed: string, isNew: boolean): Customer | null {
  const [number] = useDebouncedValue(typed.trim(), 250);
  const { data: known } = useQuery({
    queryKey: ["customer-with-document", number],
    queryFn: ({ signal }) => customerWithDocument(number, signal),
    enabled: isNew && isSameDocument(number, number),
    retry: false,
  });
  return known && isSameDocument(typed, known.document_number ?? "") ? known : null;
}

/** Offers that one instead of another with the same document. */
export function KnownCustomer({ customer, onUse }: { customer: Customer; onUse: (customer: Customer) => void }) {
  return (
    <Alert
      color="yellow"
      variant="light"
      mt="sm"
      role="status"
      icon={<Icon name="alert" />}
      title={`Ese documento ya es de ${customerName(customer)}`}
    >
      <Button variant="default" size="xs" onClick={() => onUse(customer)}>
        Usar ese cliente
      </Button>
    </Alert>
  );
}
