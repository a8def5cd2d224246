import { Select } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Answer } from "../lib/answers.ts";
import { get, put } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Section } from "../ui/parts.tsx";

const terms = [
  { value: "none", label: "Lo que se quiera" },
  { value: "30", label: "30 días" },
  { value: "90", label: "90 días" },
  { value: "365", label: "Un año" },
];

/** How long new keys may live. */
export function KeyPolicy() {
  const notify = useNotify();
  const queryKey = ["key-policy"];
  const policy = useQuery({
    queryKey,
    queryFn: ({ signal }) => get<Answer<"GET /key-policy">>("/key-policy", signal),
  });
  const saving = useMutation({
    mutationFn: (days: number | null) => put("/key-policy", { max_key_days: days }),
    onSuccess: () => notify("Guardado: vale para las claves que se creen desde ahora."),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  if (!policy.data) return <ErrorMessage error={policy.error} retry={policy.refetch} />;
  const value = String(policy.data.max_key_days ?? "none");
  const own = terms.some((term) => term.value === value) ? [] : [{ value, label: `${value} días` }];
  return (
    <Section title="Cuánto puede durar una clave nueva" lead="Las que ya existen no cambian.">
      <Select
        aria-label="Cuánto puede durar una clave nueva"
        maw="16rem"
        data={[...terms, ...own]}
        value={value}
        allowDeselect={false}
        onChange={(term) => saving.mutate(term === null || term === "none" ? null : Number(term))}
      />
      <ErrorMessage error={saving.error} />
    </Section>
  );
}
