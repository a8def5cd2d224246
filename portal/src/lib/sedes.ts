import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import type { Answer } from "./answers.ts";
import { get } from "./api.ts";
import { client } from "./queries.ts";

export type Sede = Answer<"GET /locations">["data"][number];

const place = "sede";
/** They change rarely. */
const ageMs = 60_000;

/** The sedes of the business that whoever looks may see, the first one first. */
export function useSedes() {
  return useQuery({
    queryKey: ["locations"],
    queryFn: ({ signal }) => get<Answer<"GET /locations">>("/locations", signal),
    select: ({ data }) => data,
    staleTime: ageMs,
  });
}

export function refreshSedes() {
  return Promise.all(["locations", "devices"].map((key) => client.invalidateQueries({ queryKey: [key] })));
}

/** The open ones to choose from; none in a business with one, where nobody speaks of them. */
export function useSedeChoices(): { value: string; label: string }[] {
  const all = useSedes().data ?? [];
  return all.length > 1 ? all.filter(({ active }) => active).map(({ id, name }) => ({ value: id, label: name })) : [];
}

/** Of sedes that nobody gave a colour: apart from each other in light and in dark, in the order in which they were opened. */
const colors = ["#1f6feb", "#c2570c", "#0f766e", "#a21caf", "#8a6d00", "#b91c1c"];

/** For the sede that is opened next. */
export const newColor = (count: number): string => colors[count % colors.length] ?? "";

/** The colour of a sede where several are compared. */
export function colorOf(all: readonly Sede[], id: string | null): string | undefined {
  const i = all.findIndex((one) => one.id === id);
  return all[i]?.color ?? colors[i % colors.length];
}

/** The sede that the pages show; undefined for all of them. The address says it, or else this browser remembers it. */
export function useSede() {
  const all = useSedes().data ?? [];
  const [params, setParams] = useSearchParams();
  const [kept, setKept] = useState(remembered);
  const wanted = params.get(place) ?? kept;
  const id = all.length > 1 && all.some((one) => one.id === wanted) ? (wanted ?? undefined) : undefined;
  function choose(next: string | undefined): void {
    remember(next);
    setKept(next);
    setParams((before) => {
      const after = new URLSearchParams(before);
      if (next) after.set(place, next);
      else after.delete(place);
      return after;
    });
  }
  return { all, id, choose };
}

/** A browser without storage remembers nothing. */
function remembered(): string | undefined {
  try {
    return localStorage.getItem(place) ?? undefined;
  } catch {
    return undefined;
  }
}

function remember(id: string | undefined): void {
  try {
    if (id) localStorage.setItem(place, id);
    else localStorage.removeItem(place);
  } catch {}
}
