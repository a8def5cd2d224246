import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Answer } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { byGravity, gravityTitles, type Todo, todoOf } from "../lib/concerns.ts";
import { Icon } from "../ui/icons.tsx";
import { ErrorMessage, Loading, Section } from "../ui/parts.tsx";

/** What needs the owner, the gravest first. `more` comes from the page that shows it. */
export function Attention({ more = [] }: { more?: readonly Todo[] }) {
  const concerns = useQuery({
    queryKey: ["attention"],
    queryFn: ({ signal }) => get<Answer<"GET /attention">>("/attention", signal),
    refetchInterval: 5_000,
  });
  const todos = byGravity([...(concerns.data?.data ?? []).map(todoOf), ...more]);
  return (
    <Section title="Qué necesita atención">
      <ErrorMessage error={concerns.error} retry={concerns.refetch} />
      {concerns.isPending && <Loading />}
      {concerns.data && todos.length === 0 && (
        <Text c="dimmed" style={{ display: "flex", gap: 8, alignItems: "center" }}>
          <Icon name="check" /> Todo está en orden.
        </Text>
      )}
      <ul className="quiet-list">
        {todos.map(({ gravity, text, to, todo }) => (
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
    </Section>
  );
}
