import { ActionIcon, Loader, Text, TextInput } from "@mantine/core";
import { useDebouncedValue, useHotkeys } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useState } from "react";
import { useLocation } from "wouter";
import type { Answer } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import { type Hit, hitOf, pageHits, type SearchedPage } from "../lib/search-hits.ts";
import { Dialog } from "./dialog.tsx";
import { Icon } from "./icons.tsx";
import { ErrorMessage } from "./parts.tsx";

/** Long enough that typing a word asks once. */
const pauseMs = 150;

/** The button and the key (⌘K, Ctrl K) of the search over everything. */
export function SearchEverything({ pages }: { pages: readonly SearchedPage[] }) {
  const [isOpen, setOpen] = useState(false);
  useHotkeys([["mod+K", () => setOpen(true)]], []);
  return (
    <>
      <ActionIcon
        title="Buscar (Ctrl K)"
        aria-label="Buscar en todo"
        variant="subtle"
        color="gray"
        size="lg"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
      </ActionIcon>
      {isOpen && <SearchDialog pages={pages} onClose={() => setOpen(false)} />}
    </>
  );
}

function SearchDialog({ pages, onClose }: { pages: readonly SearchedPage[]; onClose: () => void }) {
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const [, navigate] = useLocation();
  const { hits, error, isFetching, isComplete } = useHits(text, pages);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text starts at the first result again
  useEffect(() => setActive(0), [text]);
  const chosen = hits[Math.min(active, hits.length - 1)];
  function open(hit: Hit | undefined) {
    if (!hit) return;
    onClose();
    navigate(hit.path);
  }
  function press(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && hits.length > 0) {
      event.preventDefault();
      setActive((Math.min(active, hits.length - 1) + step + hits.length) % hits.length);
    }
    if (event.key === "Enter") {
      event.preventDefault();
      open(chosen);
    }
  }
  return (
    <Dialog onClose={onClose} title="Buscar en todo" size="lg" centered={false} yOffset="8vh">
      <TextInput
        aria-label="Buscar en todo"
        placeholder="Producto, cliente, venta, documento, CUFE o página"
        value={text}
        maxLength={100}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
        rightSection={isFetching && <Loader size="xs" aria-hidden="true" />}
        role="combobox"
        aria-expanded={hits.length > 0}
        aria-controls="encontrados"
        aria-autocomplete="list"
        aria-activedescendant={chosen && idOf(chosen)}
        autoComplete="off"
        data-autofocus
      />
      <ErrorMessage error={error} />
      <div className="found" id="encontrados" role="listbox" aria-label="Resultados">
        {hits.map((hit, i) => (
          <Result
            key={hit.path}
            hit={hit}
            isActive={hit === chosen}
            startsGroup={hits[i - 1]?.group !== hit.group}
            onOpen={() => open(hit)}
            onPoint={() => setActive(i)}
          />
        ))}
      </div>
      <Text size="sm" c="dimmed" mt="sm" role="status">
        {hits.length === 0 && isComplete
          ? "No se encontró nada. Pruebe con otra palabra, el SKU, el número del documento o la cédula."
          : hits.length > 0
            ? "Flechas para moverse, Enter para abrir."
            : "Escriba al menos dos letras o números."}
      </Text>
    </Dialog>
  );
}

const idOf = ({ path }: Hit) => `encontrado-${path.replaceAll(/[^a-z0-9]/gi, "-")}`;

function Result({
  hit,
  isActive,
  startsGroup,
  onOpen,
  onPoint,
}: {
  hit: Hit;
  isActive: boolean;
  startsGroup: boolean;
  onOpen: () => void;
  onPoint: () => void;
}) {
  return (
    <>
      {startsGroup && (
        <div className="found-group" role="presentation">
          {hit.group}
        </div>
      )}
      {/** biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys, as in every combobox */}
      <div
        role="option"
        tabIndex={-1}
        id={idOf(hit)}
        aria-selected={isActive}
        className="found-one"
        onClick={onOpen}
        onMouseMove={onPoint}
        ref={(element) => {
          if (isActive) element?.scrollIntoView({ block: "nearest" });
        }}
      >
        <Icon name={hit.icon} size={18} />
        <span className="found-title">{hit.title}</span>
        <span className="found-detail">{hit.detail}</span>
      </div>
    </>
  );
}

/** Pages at once, records when the typing pauses. */
function useHits(text: string, pages: readonly SearchedPage[]) {
  const [q] = useDebouncedValue(text.trim(), pauseMs);
  const canAsk = q.replaceAll(/\s/g, "").length >= 2;
  const found = useQuery({
    queryKey: ["search", q],
    queryFn: ({ signal }) => get<Answer<"GET /search">>(`/search${query({ q })}`, signal),
    enabled: canAsk,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  const records = canAsk ? (found.data?.data ?? []).map(hitOf) : [];
  const hits = [...pageHits(pages, text), ...records];
  const isComplete = canAsk && !found.isFetching && q === text.trim();
  return { hits, error: canAsk ? found.error : null, isFetching: found.isFetching, isComplete };
}
