import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { fieldMessages } from "../ui/field-messages.ts";
import { type Draft, useDraft } from "./drafts.ts";
import type { limits } from "./limits.ts";

/** A request that a form sends: its schema names the form's fields and limits them. */
export type Route = keyof typeof limits;

interface Options<V, S, T> {
  /** Under which name what is typed is kept until it is sent or discarded. */
  draft?: string;
  start?: V;
  /** Passwords and the like, which are never kept. */
  secrets?: S;
  /** What has no field of its own in which a message could stand. */
  fieldless?: readonly (keyof V)[];
  send: (values: V & S) => Promise<T>;
  /** A form whose request waits for a mailed code goes on with `answer` instead. */
  onSent?: (answer: T) => unknown;
  onRefused?: (error: Error, change: (part: Partial<V & S>) => void) => void;
}

export interface Form<R extends Route, V, T = unknown> {
  of: R;
  values: V;
  change: (part: Partial<V>) => void;
  draft: Pick<Draft<V>, "isRestored" | "reset" | "forget">;
  /** The service's message for each field. */
  messages: Partial<Record<keyof V, string>>;
  /** What the service said about no field. */
  problem: Error | null;
  error: Error | null;
  isSending: boolean;
  answer: T | undefined;
  /** `instead` is sent in place of what stands in the fields. */
  submit: (event?: FormEvent, instead?: Partial<V>) => void;
  /** Back to the form from `answer`. */
  again: () => void;
}

/** What a form holds, and how it is sent. */
export function useForm<R extends Route, V extends object, T, S extends object = object>(
  of: R,
  { draft: name = of, start = {} as V, secrets = {} as S, fieldless = [], send, onSent, onRefused }: Options<V, S, T>,
): Form<R, V & S, T> {
  const draft = useDraft<V>(name, start);
  const [secret, setSecret] = useState(secrets);
  const values = { ...draft.value, ...secret };
  function change(part: Partial<V & S>): void {
    const isSecret = ([key]: [string, unknown]) => key in secret;
    const entries = Object.entries(part);
    const [hidden, kept] = [entries.filter(isSecret), entries.filter((entry) => !isSecret(entry))];
    if (hidden.length > 0) setSecret((before) => ({ ...before, ...Object.fromEntries(hidden) }));
    if (kept.length > 0) draft.change(Object.fromEntries(kept) as Partial<V>);
  }
  const sending = useMutation({
    mutationFn: (part: Partial<V & S>) => send({ ...values, ...part }),
    async onSuccess(answer) {
      if (!onSent) return;
      draft.forget();
      await onSent(answer);
    },
    onError: (error) => onRefused?.(error, change),
  });
  const { areAllShown, ...messages } = fieldMessages(
    sending.error,
    Object.keys(values).filter((key) => !fieldless.includes(key as keyof V)),
  );
  return {
    ...{ of, values, change, draft, error: sending.error, isSending: sending.isPending },
    messages: messages as Partial<Record<keyof (V & S), string>>,
    problem: areAllShown ? null : sending.error,
    answer: sending.data,
    again: sending.reset,
    submit(event, instead = {}) {
      event?.preventDefault();
      sending.mutate(instead);
    },
  };
}
