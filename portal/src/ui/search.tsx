import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Without a search text, everything is found. */
export const isSearchable = (q: string | undefined) => q === undefined || idPattern.test(q);

/** Searches on submit only: while an id is being typed, it is not valid yet. */
export function Search({
  value,
  onSearch,
  label,
}: {
  value: string | undefined;
  onSearch: (q: string | null) => void;
  label: string;
}) {
  const [text, setText] = useState(value ?? "");
  useEffect(() => setText(value ?? ""), [value]);
  const isValid = isSearchable(value);
  function submit(event: FormEvent) {
    event.preventDefault();
    onSearch(text.trim() || null);
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm" mt="sm" wrap="nowrap">
        <TextInput
          style={{ flex: 1 }}
          label={label}
          placeholder="019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c23"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={isValid ? undefined : "Un identificador tiene 36 caracteres, como el del ejemplo. Cópielo completo."}
        />
        <Button type="submit" variant="default" style={{ alignSelf: isValid ? "flex-end" : "center" }}>
          Buscar
        </Button>
      </Group>
    </form>
  );
}
