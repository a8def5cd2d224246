import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import type { WritingDeps } from "../../engine/writing/writing.ts";
import { type Metrics, newMetrics } from "../../lib/metrics.ts";
import type { Answer, Authority } from "../authority/authority.ts";
import { authorityMeter } from "../authority/authority-meter.ts";
import { newCircuit } from "../authority/circuit.ts";
import { type ClaimedDocument, claimDocuments, releaseUnasked } from "./claim-documents.ts";
import { nextAsk, nextStep } from "./next-step.ts";
import { outcomeWriter } from "./outcome-writer.ts";

export interface FiscalWorkerDeps extends WritingDeps {
  config: Pick<Config, "secretKey" | "environment">;
  log: Logger;
  metrics?: Metrics;
}

/** 1 000 documents at 2 s each, 100 at a time, are decided in some 20 s. */
const mostInFlight = 100;
/** Between processes there is no signal: this is how late a new document may be noticed. */
const pollMs = 750;
const pauseAfterErrorMs = 2_000;
const longestFarewellMs = 5_000;

/** A document that this process holds. */
interface InFlight {
  document: ClaimedDocument;
  /** The call is over, and its outcome is on its way to the database. */
  isAnswered: boolean;
  /** The same document, claimed anew meanwhile. */
  again?: ClaimedDocument | undefined;
  done: Promise<void>;
}

export interface FiscalWorker {
  start(): void;
  /** Takes no more documents and waits a little for those in flight; the rest are asked about by whoever comes next. */
  stop(): Promise<void>;
  /** Works until nothing is due at this instant of the clock; returns how many times the authority was asked. */
  workOff(): Promise<number>;
}

/** Brings documents to the authority and its verdicts back. Any number of workers may run, in any number of processes. */
export function fiscalWorker(
  deps: FiscalWorkerDeps,
  authority: Authority,
  { cap = mostInFlight, leaseMs }: { cap?: number; leaseMs?: number } = {},
): FiscalWorker {
  const circuit = newCircuit();
  const outcomes = outcomeWriter(deps);
  const meter = authorityMeter(deps.metrics ?? newMetrics(), circuit);
  const inFlight = new Map<string, InFlight>();
  let lastServed: string | undefined;
  let asked = 0;
  let running: Promise<void> | undefined;
  let stopped = false;
  let wake = () => {};

  async function takeDue(): Promise<number> {
    if (deps.clock.isTrusted?.() === false) return 0;
    const most = circuit.allows(deps.clock.now(), cap - inFlight.size, inFlight.size);
    if (most <= 0) return 0;
    const documents = await claimDocuments(deps.pool, {
      secretKey: deps.config.secretKey,
      now: deps.clock.now(),
      most,
      after: lastServed,
      ...(leaseMs !== undefined && { leaseMs }),
    });
    // A claim that was on its way when the end came: sent now, its documents would be left in doubt for a whole lease.
    if (stopped) {
      if (documents.length > 0) await releaseUnasked(deps.pool, documents);
      return 0;
    }
    lastServed = documents.at(-1)?.accountId ?? lastServed;
    for (const document of documents) take(document);
    return documents.length;
  }

  function take(document: ClaimedDocument): void {
    const key = `${document.accountId} ${document.invoiceId}`;
    const held = inFlight.get(key);
    if (!held) {
      const taken: InFlight = { document, isAnswered: false, done: Promise.resolve() };
      inFlight.set(key, taken);
      taken.done = handle(taken).finally(() => release(key));
      return;
    }
    // Its outcome was stored, or its lease ended, and we have not heard of it yet: this claim is a new task.
    if (held.isAnswered) held.again = document;
    // Our own lease ended before the call did: the call goes on, under the new claim.
    else held.document.claim = document.claim;
  }

  function release(key: string): void {
    inFlight.delete(key);
    // Refilling one by one would cost a query for each document.
    if (inFlight.size === 0 || inFlight.size <= cap * 0.75) wake();
  }

  async function handle(taken: InFlight): Promise<void> {
    for (;;) {
      await attend(taken);
      if (!taken.again) return;
      taken.document = taken.again;
      taken.again = undefined;
      taken.isAnswered = false;
    }
  }

  async function attend(taken: InFlight): Promise<void> {
    const { document } = taken;
    const { accountId, invoiceId, standing, submission } = document;
    const ask = nextAsk(standing);
    const startedAt = performance.now();
    const answer = readable(
      await authority[ask](submission).catch(
        (error: Error): Answer => ({ kind: "unavailable", message: error.message }),
      ),
    );
    taken.isAnswered = true;
    asked += 1;
    const ms = Math.round(performance.now() - startedAt);
    circuit.record(answer.kind !== "unavailable", deps.clock.now());
    meter.asked(answer.kind, ms);
    deps.log.info(
      {
        account_id: accountId,
        invoice_id: invoiceId,
        document: `${submission.document.prefix}${submission.document.number}`,
        ask,
        answer: answer.kind,
        message: answer.message,
        ms,
      },
      "tax authority asked",
    );
    await outcomes
      .write(document, nextStep(standing, ask, answer))
      // The lease ends, and whoever takes the document then asks the authority what became of it.
      .catch((error: Error) => deps.log.error({ err: error, invoice_id: invoiceId }, "an answer could not be stored"));
  }

  async function workOff(): Promise<number> {
    const before = asked;
    for (;;) {
      const taken = await takeDue();
      if (taken === 0 && inFlight.size === 0) return asked - before;
      await Promise.race([...inFlight.values()].map(({ done }) => done));
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      let pauseMs = pollMs;
      try {
        while (!stopped && (await takeDue()) > 0 && inFlight.size < cap);
      } catch (error) {
        deps.log.error({ err: error }, "due documents could not be read");
        pauseMs = pauseAfterErrorMs;
      }
      await pause(pauseMs);
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (stopped) wake();
    });
  }

  return {
    workOff,
    start() {
      running ??= run();
    },
    async stop() {
      stopped = true;
      outcomes.stop();
      wake();
      await running;
      const timeUp = new Promise((resolve) => setTimeout(resolve, longestFarewellMs).unref());
      await Promise.race([Promise.all([...inFlight.values()].map(({ done }) => done)), timeUp]);
      meter.stop();
    },
  };
}

const longestMessage = 2_000;

/** What others write may hold what PostgreSQL does not store; a verdict must not fail for it again and again. */
function readable(answer: Answer): Answer {
  if (answer.message === null) return answer;
  const message = answer.message.replaceAll("\u0000", "").toWellFormed().slice(0, longestMessage).toWellFormed();
  return { ...answer, message } as Answer;
}
