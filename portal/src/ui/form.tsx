import {
  Button,
  type ButtonProps,
  Checkbox,
  type CheckboxProps,
  Group,
  PasswordInput,
  type PasswordInputProps,
  Select,
  type SelectProps,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from "@mantine/core";
import type { ReactNode } from "react";
import type { Form, Route } from "../lib/form.ts";
import { number } from "../lib/format.ts";
import { limits } from "../lib/limits.ts";
import { DraftNotice } from "./draft-notice.tsx";
import { NumberField, type NumberFieldProps } from "./number-field.tsx";
import { ErrorMessage } from "./parts.tsx";

/** The names of the fields that a form holds as a `T` and its route takes. */
type NameOf<R extends Route, V, T> = {
  [K in keyof V & keyof (typeof limits)[R]]: T extends V[K] ? K : V[K] extends T ? K : never;
}[keyof V & keyof (typeof limits)[R]];
type Own<P> = Omit<P, "name" | "value" | "onChange" | "checked" | "error" | "min" | "max"> & {
  [attribute: `data-${string}`]: unknown;
};

interface Inputs<R extends Route, V> {
  /** `clean` removes what does not belong there as it is typed. */
  text: Own<TextInputProps> & { name: NameOf<R, V, string>; clean?: (typed: string) => string };
  long: Own<TextareaProps> & { name: NameOf<R, V, string> };
  secret: Own<PasswordInputProps> & { name: NameOf<R, V, string> };
  number: Own<NumberFieldProps> & { name: NameOf<R, V, number | string>; min?: number; max?: number };
  choice: Own<SelectProps> & { name: NameOf<R, V, string | null> };
  check: Own<CheckboxProps> & { name: NameOf<R, V, boolean> };
}
type Kind = keyof Inputs<Route, object>;

/** A field: what the owner reads, and what the schema of the route does not know. */
export type Field<R extends Route, V> =
  | ({ as?: "text"; error?: string | false } & Inputs<R, V>["text"])
  | { [K in Exclude<Kind, "text">]: { as: K; error?: string | false } & Inputs<R, V>[K] }[Exclude<Kind, "text">];

/** The fields that are there now, each with its limits from the schema and its message from the service. */
export function Fields<R extends Route, V>({
  form,
  fields,
}: {
  form: Pick<Form<R, V>, "of" | "values" | "change" | "messages">;
  fields: readonly (Field<R, V> | false)[];
}) {
  const known: Partial<Record<PropertyKey, Limit>> = limits[form.of];
  return fields.map((field) => {
    if (!field) return null;
    const { name, error, ...input } = field;
    return (
      <Input
        key={String(name)}
        {...(input as AnyInput)}
        bounds={known[name] ?? {}}
        value={form.values[name as keyof V]}
        onValue={(value) => form.change({ [name]: value } as Partial<V>)}
        error={error || tooLong(form.values[name as keyof V], known[name]) || form.messages[name as keyof V]}
      />
    );
  });
}

interface Limit {
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}
type AnyInput = { [K in Kind]: { as: K } & Omit<Inputs<Route, object>[K], "name"> }[Kind];
type InputProps = AnyInput & {
  bounds: Limit;
  value: unknown;
  onValue: (value: unknown) => void;
  error: string | undefined;
};

/** A text is never cut to what fits: it is told, and whoever wrote it shortens it. */
function tooLong(value: unknown, { maxLength = Number.POSITIVE_INFINITY }: Limit = {}): string | undefined {
  const length = typeof value === "string" ? [...value.trim()].length : 0;
  return length > maxLength
    ? `Caben ${number(maxLength)} caracteres y escribió ${number(length)}. Acórtelo.`
    : undefined;
}

function Input({ bounds: { minimum, maximum }, value, onValue, ...input }: InputProps) {
  const typed = { value: String(value ?? "") };
  switch (input.as) {
    case "long": {
      const { as: _, ...own } = input;
      return <Textarea autosize {...typed} {...own} onChange={(event) => onValue(event.currentTarget.value)} />;
    }
    case "secret": {
      const { as: _, ...own } = input;
      return (
        <PasswordInput
          autoComplete="off"
          {...typed}
          {...own}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      );
    }
    case "number": {
      const { as: _, ...own } = input;
      const range = { min: minimum ?? 0, max: maximum ?? Number.MAX_SAFE_INTEGER };
      return <NumberField {...range} {...own} value={value as number | string} onChange={onValue} />;
    }
    case "choice": {
      const { as: _, ...own } = input;
      const change = (chosen: string | null) => (chosen !== null || own.clearable) && onValue(chosen);
      return <Select allowDeselect={false} {...own} value={value as string | null} onChange={change} />;
    }
    case "check": {
      const { as: _, ...own } = input;
      return <Checkbox {...own} checked={value === true} onChange={(event) => onValue(event.currentTarget.checked)} />;
    }
    default: {
      const { as: _, clean = (text) => text, ...own } = input;
      return <TextInput {...typed} {...own} onChange={(event) => onValue(clean(event.currentTarget.value))} />;
    }
  }
}

/** A form with its buttons, and what went wrong above them. */
export function FormFrame<R extends Route, V>({
  form,
  action,
  children,
  error = form.problem,
  isReady = true,
  noValidate = false,
  onCancel,
  cancel = "Cancelar",
  buttons,
  button,
  justify = "flex-end",
  mt = "lg",
}: {
  form: Form<R, V>;
  /** What the button does. */
  action: string;
  children: ReactNode;
  error?: Error | null;
  /** Whether it may be sent. */
  isReady?: boolean;
  /** The service judges it, not the browser. */
  noValidate?: boolean;
  /** After what was typed is forgotten. */
  onCancel?: () => void;
  cancel?: string;
  /** In front of the others. */
  buttons?: ReactNode;
  button?: ButtonProps;
  justify?: "flex-end" | "flex-start";
  mt?: "sm" | "md" | "lg" | 0;
}) {
  return (
    <form onSubmit={(event) => form.submit(event)} noValidate={noValidate}>
      <DraftNotice draft={form.draft} />
      {children}
      <ErrorMessage error={error} />
      <Group justify={justify} mt={mt}>
        {buttons}
        {onCancel && (
          <Button
            variant="default"
            onClick={() => {
              form.draft.forget();
              onCancel();
            }}
          >
            {cancel}
          </Button>
        )}
        <Button type="submit" loading={form.isSending} disabled={!isReady} {...button}>
          {action}
        </Button>
      </Group>
    </form>
  );
}
