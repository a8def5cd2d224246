import type { Client } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import type { CoreDeps } from "../../../engine/deps.ts";
import { ApiError } from "../../../lib/errors.ts";
import type { RequestSource } from "../../accounts/hashing-queue.ts";
import { incorrectCode, isMailedCode, maxCodeTries } from "../mailed-code.ts";
import { homeOf, type Person, personById } from "../person.ts";
import { hashesOf } from "../session.ts";
import { enter, type SignedIn } from "../sign-in.ts";
import { checkFactor, type StepAnswer, tellRecoveryCode } from "./answer.ts";
import { countGuess, forgetGuess, noteWrong } from "./count-guesses.ts";
import { kindsOf } from "./factors.ts";
import { stepWords } from "./kinds.ts";
import { removeEveryFactor } from "./remove-factors.ts";
import { finishStage, markOf, maxStageTries, type Stage, tryStage } from "./stage.ts";
import { trustBrowser } from "./trusted-browser.ts";

interface Browser {
  stageToken: string | undefined;
  browserToken: string | undefined;
  remoteAddress: string;
  sourceFor: (email: string) => RequestSource;
}

type Entered = SignedIn & { email: string; browserToken: string };

/** Signs in somebody whose password was right, once the answer is right as well. */
export async function finishSignIn(deps: CoreDeps, answer: StepAnswer, browser: Browser): Promise<Entered> {
  const stage = await tryStage(deps.pool, browser.stageToken, deps.clock.now());
  const of = { personId: stage.person_id, remoteAddress: browser.remoteAddress };
  return noteWrong(deps, of, () => finishStaged(deps, stage, answer, browser));
}

async function finishStaged(deps: CoreDeps, stage: Stage, answer: StepAnswer, browser: Browser): Promise<Entered> {
  const now = deps.clock.now();
  const person = await personById(deps.pool, stage.person_id);
  if (!person || !markOf(person).equals(stage.password_mark)) throw new ApiError("SECOND_STEP_EXPIRED");
  const source = browser.sourceFor(person.email);
  const guessesLeft = await countGuess(deps.pool, person.id, source, now);
  const checked = await checkStage(deps, stage, answer, guessesLeft);
  await deps.partitions.ensure(now);
  const entered = await transaction(deps.pool, async (client) => {
    await client.query(sql`select from people where id = ${person.id} for update`);
    await finishStage(client, stage.id, now);
    await requireStillAsked(client, stage, answer);
    const left = await checked.use(client);
    if (stage.lost_at !== null && answer.kind === "mailed_code")
      await removeEveryFactor(deps, client, { person, stage });
    const account = await homeOf(client, person.id);
    if (!account?.active) throw new ApiError("ACCOUNT_INACTIVE");
    const token = await open(deps, client, person, account.id, stage);
    if (left !== undefined) await tellRecoveryCode(deps, client, { person, accountId: account.id, left, from: stage });
    const from = { remoteAddress: stage.remote_address, userAgent: stage.user_agent };
    const browserToken = await trustBrowser(client, { personId: person.id, token: browser.browserToken, now, ...from });
    return {
      token,
      browserToken,
      account: { id: account.id, name: account.name, email: person.email, plan: account.plan },
    };
  });
  await forgetGuess(deps.pool, person.id, source);
  deps.mail?.emit();
  return { ...entered, email: person.email };
}

/** A session in which the second step was just done. */
async function open(deps: CoreDeps, client: Client, person: Person, accountId: string, stage: Stage): Promise<string> {
  const at = deps.clock.now();
  const { known_since, remote_address: remoteAddress, user_agent: userAgent } = stage;
  const knownSince = known_since ?? undefined;
  const token = await enter(deps, client, { person, accountId, at, knownSince, remoteAddress, userAgent });
  const { founders, others } = hashesOf(token);
  await client.query(sql`update portal_sessions set stepped_up_at = ${at} where hash in (${founders}, ${others})`);
  return token;
}

interface Checked {
  /** What must happen with the sign-in or not at all; resolves with the recovery codes left if one was used. */
  use: (client: Client) => Promise<number | undefined>;
}

async function checkStage(deps: CoreDeps, stage: Stage, answer: StepAnswer, guessesLeft: number): Promise<Checked> {
  if (answer.kind === "mailed_code") {
    const isLost = stage.lost_at !== null;
    if (!isLost && !stage.kinds.includes("mailed_code")) throw wrongKind(stage);
    if (stage.attempts > maxCodeTries) throw new ApiError("CODE_EXPIRED");
    const purpose = isLost ? "lost second steps" : "sign-in codes";
    if (!isMailedCode(answer.code, deps.config.secretKeys, purpose, stage.id))
      throw incorrectCode("code", Math.max(stage.attempts, maxCodeTries - guessesLeft));
    return { use: async () => undefined };
  }
  if (!stage.kinds.includes(answer.kind)) throw wrongKind(stage);
  const left = Math.min(maxStageTries - stage.attempts, guessesLeft);
  return checkFactor(deps, { personId: stage.person_id, purpose: `sign-in ${stage.id}` }, answer, left);
}

/** Says what is asked instead of what was shown. */
function wrongKind({ kinds }: Stage): ApiError {
  return new ApiError("WRONG_SECOND_STEP", {
    param: "kind",
    message: `Así no se confirma este ingreso: use ${kinds.map((kind) => stepWords[kind]).join(", o ")}.`,
    extra: { kinds },
  });
}

/** Somebody may have got a factor since: then the code of a new browser is not enough any more. */
async function requireStillAsked(client: Client, stage: Stage, answer: StepAnswer): Promise<void> {
  if (answer.kind !== "mailed_code" || stage.lost_at !== null) return;
  if ((await kindsOf(client, stage.person_id)).length > 0) throw new ApiError("SECOND_STEP_EXPIRED");
}
