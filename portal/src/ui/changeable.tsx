import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Right } from "../../../src/access/people/rights.ts";
import { useInstead } from "../lib/instead.ts";
import { useSession } from "../lib/queries.ts";

/**
 * A form about the whole business. Whoever may only look reads what it says, and who changes it, before she has typed anything that the
 * service would refuse.
 */
export function Changeable({ to, children }: { to: Right; children: ReactNode }) {
  const { data: session } = useSession();
  const insteadOf = useInstead([to]);
  if (!session) return null;
  const { owners, location_ids } = session;
  const isOfSome = location_ids !== null;
  const reason =
    insteadOf(to) ??
    (isOfSome
      ? `Es de todo el negocio, y usted ve solo algunas sedes: para cambiarlo, avise a ${owners.join(" o a ")}.`
      : undefined);
  if (reason === undefined) return children;
  return (
    <fieldset className="plain" disabled>
      <Text size="sm" c="dimmed" mb="sm">
        {reason}
      </Text>
      {children}
    </fieldset>
  );
}
