import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { Answer } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { byGravity, gravityTitles, neededFor, type Todo, todoOf, todoOfFinding } from "../lib/concerns.ts";
import { plural } from "../lib/format.ts";
import { useInstead } from "../lib/instead.ts";
import { Icon } from "../ui/icons.tsx";
import { ErrorMessage, Loading, Section } from "../ui/parts.tsx";

/** More would push the rest of the page out of sight. */
const shownFirst = 5;

/** What needs the owner, the gravest first. `more` comes from the page that shows it. */
export function Attention({ more = [] }: { more?: readonly Todo[] }) {
  const [isOpen, setOpen] = useState(false);
  const concerns = useQuery({
    queryKey: ["attention"],
    queryFn: ({ signal }) => get<Answer<"GET /attention">>("/attention", signal),
    refetchInterval: 5_000,
  });
  const findings = useQuery({
    queryKey: ["findings"],
    queryFn: ({ signal }) => get<Answer<"GET /findings">>("/findings?limit=20", signal),
    refetchInterval: 15_000,
  });
  const found = (findings.data?.data ?? []).map(todoOfFinding);
  // The list of findings has those of registers too, and more of them.
  const open = (concerns.data?.data ?? []).filter(({ kind }) => kind !== "finding");
  const insteadOf = useInstead(open.map(neededFor));
  const others = open.map((one) => todoOf(one, insteadOf));
  // What stands in the figures comes before what only waits, where both are as grave.
  const todos = byGravity([...found, ...others, ...more]);
  const shown = isOpen ? todos : todos.slice(0, shownFirst);
  return (
    <Section title="Qué necesita atención">
      <ErrorMessage error={concerns.error} retry={concerns.refetch} />
      <ErrorMessage error={findings.error} retry={findings.refetch} />
      {concerns.isPending && <Loading />}
      {concerns.data && todos.length === 0 && (
        <Text c="dimmed" style={{ display: "flex", gap: 8, alignItems: "center" }}>
          <Icon name="check" /> Todo está en orden.
        </Text>
      )}
      <ul className="quiet-list">
        {shown.map(({ gravity, text, to, todo }) => (
          <li key={`${to} ${text}`} className="concern">
            <span className={`gravity ${gravity}`} title={gravityTitles[gravity]}>
              <span className="hidden-text">{gravityTitles[gravity]}: </span>
            </span>
            <div>
              <Text style={{ overflowWrap: "anywhere" }}>{text}</Text>
              <Link href={to}>{todo}</Link>
            </div>
          </li>
        ))}
      </ul>
      {shown.length < todos.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
          Ver {plural(todos.length - shown.length, "aviso más", "avisos más")}
        </Button>
      )}
    </Section>
  );
}
