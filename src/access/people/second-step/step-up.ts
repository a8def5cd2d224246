import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import type { CoreDeps } from "../../../engine/deps.ts";
import { minute } from "../../../lib/clock.ts";
import { ApiError } from "../../../lib/errors.ts";
import { personById } from "../person.ts";
import type { Session } from "../session.ts";
import { checkPassword } from "../sign-in.ts";
import { checkFactor, type FactorAnswer, tellRecoveryCode } from "./answer.ts";
import { countGuess, forgetGuess, noteWrong } from "./count-guesses.ts";
import { kindsOf } from "./factors.ts";

/** How long a second step lets its session change what matters. */
export const stepUpMs = 10 * minute;

/** Until when the session may change what matters; undefined when it must be asked again. */
export async function steppedUpUntil(
  db: Pick<Queryable, "query">,
  sessionId: string,
  now: Date,
): Promise<Date | undefined> {
  const { rows } = await db.query<{ stepped_up_at: Date | null }>(sql`
    select stepped_up_at from portal_sessions where id = ${sessionId}`);
  const at = rows[0]?.stepped_up_at;
  const until = at && new Date(at.getTime() + stepUpMs);
  return until && until > now ? until : undefined;
}

interface Asking {
  /** A transaction's connection where the answer is part of what it decides. */
  pool: Pick<Queryable, "query">;
  clock: Pick<CoreDeps["clock"], "now">;
}

/** Refuses whoever has a factor and did not show it in the last ten minutes. Whoever has none is asked for mailed codes as ever. */
export async function requireStepUp({ pool, clock }: Asking, session: Session): Promise<void> {
  const kinds = await kindsOf(pool, session.personId);
  if (kinds.length === 0 || (await steppedUpUntil(pool, session.id, clock.now()))) return;
  throw new ApiError("STEP_UP_REQUIRED", { extra: { kinds } });
}

/** Like the above, but whoever has none is not let through: for what has no code of its own. */
export async function requireShownFactor(deps: Asking, session: Session): Promise<void> {
  if ((await kindsOf(deps.pool, session.personId)).length > 0) return requireStepUp(deps, session);
  throw new ApiError("STEP_UP_REQUIRED", {
    message: "Esto pide un segundo paso y usted no tiene uno. Agréguelo en Ajustes → Seguridad y repítalo.",
    extra: { kinds: [] },
  });
}

/** Before factors are changed: who has one shows it, who has none the password. A session left open is not enough. */
export async function requireProof(deps: CoreDeps, session: Session, password: string | undefined): Promise<void> {
  if ((await kindsOf(deps.pool, session.personId)).length > 0) return requireStepUp(deps, session);
  if (password === undefined)
    throw new ApiError("PASSWORD_INCORRECT", {
      param: "current_password",
      message: "Escriba su contraseña para agregar un segundo paso.",
    });
  await checkPassword(deps, session, password);
}

interface From {
  remote_address: string | null;
  user_agent: string | null;
}

/** Takes a second step within a session. */
export function stepUp(deps: CoreDeps, session: Session, answer: FactorAnswer, from: From): Promise<Date> {
  const { personId, id, accountId } = session;
  const of = { personId, remoteAddress: from.remote_address, within: { id, accountId } };
  return noteWrong(deps, of, () => takeStep(deps, session, answer, from));
}

async function takeStep(deps: CoreDeps, session: Session, answer: FactorAnswer, from: From): Promise<Date> {
  const { pool } = deps;
  const now = deps.clock.now();
  const { accountId, personId, id } = session;
  const source = { name: `session ${id}`, isKnown: true };
  const guessesLeft = await countGuess(pool, personId, source, now);
  const checked = await checkFactor(deps, { personId, purpose: `step-up ${id}` }, answer, guessesLeft);
  const person = await personById(pool, personId);
  if (!person) throw new ApiError("SESSION_REQUIRED");
  await deps.partitions.ensure(now);
  await transaction(pool, async (client) => {
    const left = await checked.use(client);
    if (left !== undefined) await tellRecoveryCode(deps, client, { person, accountId, left, from });
    await client.query(sql`update portal_sessions set stepped_up_at = ${now} where id = ${id}`);
  });
  await forgetGuess(pool, personId, source);
  deps.mail?.emit();
  return new Date(now.getTime() + stepUpMs);
}
