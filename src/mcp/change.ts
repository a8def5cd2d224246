import type { AuditAction } from "../access/accounts/audit-actions.ts";
import { confirmedChange } from "../api/public/confirmed-change.ts";
import { sql } from "../db/sql.ts";
import { ApiError } from "../lib/errors.ts";
import { Type } from "../lib/schema.ts";
import type { Answer, Json } from "./api-calls.ts";
import { type Confirmed, changedSince, confirmationMinutes, confirmationOf, readConfirmation } from "./confirmation.ts";
import type { ToolContext } from "./tool.ts";

export const confirmationField = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      "Sin él no cambia nada: se muestra qué cambiaría. Con el que trajo esa respuesta, y los mismos datos, se hace.",
  }),
);

/** A change as it is shown first, and made once it was agreed to. */
export interface Change {
  tool: string;
  input: { confirmation?: string | undefined };
  action: AuditAction;
  /** What is shown: one sentence, and what becomes of each field. */
  preview: { summary: string; warnings?: string[] } & Record<string, unknown>;
  details(record: { id: string }): Record<string, unknown>;
}

/** What the caller confirmed; without it, what to answer instead. */
type Step = { confirmed: Confirmed; preview?: never } | { confirmed?: never; preview: object };

/** The first call shows the change and changes nothing. The second has what the first answered. */
export function stepOf({ deps, access }: ToolContext, { tool, input, preview }: Change, state: unknown): Step {
  const { confirmation, ...rest } = input;
  const now = deps.clock.now();
  const shown = { keys: deps.config.secretKeys, access, tool, input: rest };
  if (confirmation !== undefined) return { confirmed: readConfirmation(shown, confirmation, now) };
  return {
    preview: {
      done: false,
      ...preview,
      confirmation: confirmationOf(shown, state, now),
      next_step: `Muestre el cambio a la persona. Si lo acepta, repita la llamada con los mismos datos y \`confirmation\`, antes de ${confirmationMinutes} minutos.`,
    },
  };
}

/** Makes a record, once however often it is confirmed. */
export async function makeOnce(
  context: ToolContext,
  change: Change,
  path: string,
  body: object,
): Promise<{ preview: object } | { made: Json }> {
  const { preview, confirmed } = stepOf(context, change, null);
  if (!confirmed) return { preview };
  const { body: made } = await asAssistant(context, change, () =>
    context.api.post(path, body, confirmed.idempotencyKey),
  );
  return { made };
}

/** What is done to a record that is still in the state in which it was shown; said again, it finds it done. */
export async function actOnce(
  context: ToolContext,
  change: Change,
  { path, body, state, done }: { path: string; body: object; state: unknown; done: Json | undefined },
): Promise<{ preview: object } | { made: Json }> {
  const { preview, confirmed } = stepOf(context, change, state);
  if (!confirmed) return { preview };
  if (done !== undefined) return { made: done };
  if (!confirmed.isOf(state)) throw changedSince();
  const answer = await asAssistant(context, change, () => context.api.post(path, body, confirmed.idempotencyKey));
  return { made: answer.body };
}

const maxTries = 3;

export interface EditedRecord {
  path: string;
  current: Answer;
  /** The fields of concern. */
  partOf(body: Json): Record<string, unknown>;
  changes: object;
  /** The record anew, after somebody else was quicker. */
  read(): Promise<Answer>;
}

/**
 * Edits a record whose fields of concern are still as they were shown; what else changed of it meanwhile, such as the stock of a product
 * that sells, does not matter. Confirmed again, it finds its own values and says that it is done.
 */
export async function editOnce(
  context: ToolContext,
  change: Change,
  record: EditedRecord,
): Promise<{ preview: object } | { made: Json }> {
  const { path, partOf, changes, read } = record;
  const { preview, confirmed } = stepOf(context, change, partOf(record.current.body));
  if (!confirmed) return { preview };
  let { current } = record;
  for (let tries = 1; ; tries++) {
    const part = partOf(current.body);
    if (isDone(part, changes)) return { made: current.body };
    if (!confirmed.isOf(part)) throw changedSince();
    try {
      const { etag = "" } = current;
      const { body } = await asAssistant(context, change, () => context.api.patch(path, changes, etag));
      return { made: body };
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "CONFLICT") || tries === maxTries) throw error;
      current = await read();
    }
  }
}

function isDone(part: Record<string, unknown>, changes: object): boolean {
  return Object.entries(changes).every(([name, value]) => part[name] === value);
}

async function asAssistant<T>(context: ToolContext, change: Change, work: () => Promise<T>): Promise<T> {
  const { access, deps, remoteAddress } = context;
  const { rows } = await deps.pool.query<{ name: string }>(sql`select name from api_keys where id = ${access.keyId}`);
  const personName = rows[0]?.name;
  const actor = { kind: "assistant" as const, sessionId: null, remoteAddress, ...(personName && { personName }) };
  const details = (made: { id: string }) => ({ ...change.details(made), tool: change.tool, api_key_id: access.keyId });
  return confirmedChange.run({ action: change.action, actor, details }, work);
}
