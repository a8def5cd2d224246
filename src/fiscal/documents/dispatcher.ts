import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import type { WritingDeps } from "../../engine/writing/writing.ts";
import { type Metrics, newMetrics } from "../../lib/metrics.ts";
import type { Authority, AuthorityResponse } from "../authority/authority.ts";
import { type AuthorityMeter, authorityMeter } from "../authority/authority-meter.ts";
import { type CircuitBreaker, newCircuitBreaker } from "../authority/circuit-breaker.ts";
import type { LinkConfig } from "./buyer-link.ts";
import { type ClaimedDocument, claimDocuments, releaseClaimed } from "./claim-documents.ts";
import { type AuthorityCall, nextCall, nextStep, type Step } from "./next-step.ts";
import { type StepWriter, stepWriter } from "./step-writer.ts";

export interface FiscalWorkerDeps extends WritingDeps {
  config: LinkConfig & Pick<Config, "environment" | "fiscalAuthority" | "uvtByYear">;
  log: Logger;
  metrics?: Metrics;
}

/** A document that this process holds. */
interface HeldDocument {
  document: ClaimedDocument;
  state: "calling" | "recording";
  /** The same document, claimed anew while its step was being recorded. */
  reclaimed?: ClaimedDocument | undefined;
  /** Resolves when its step is stored. */
  done: Promise<void>;
}

/** Takes documents from claimed to calling to recorded. It knows nothing of polling. */
export interface Dispatcher {
  readonly deps: FiscalWorkerDeps;
  readonly authority: Authority;
  readonly circuit: CircuitBreaker;
  readonly steps: StepWriter;
  readonly meter: AuthorityMeter;
  readonly held: Map<string, HeldDocument>;
  /** The most documents in flight at once. */
  readonly cap: number;
  readonly leaseMs: number | undefined;
  /** Called when there is room for the next claim. */
  onRoom: () => void;
  lastAccount?: string | undefined;
  /** How many times the authority was called. */
  calls: number;
  isStopped: boolean;
}

export function newDispatcher(
  deps: FiscalWorkerDeps,
  authority: Authority,
  options: Pick<Dispatcher, "cap" | "leaseMs">,
): Dispatcher {
  const circuit = newCircuitBreaker();
  const meter = authorityMeter(deps.metrics ?? newMetrics(), circuit);
  const rest = { held: new Map(), onRoom: () => {}, calls: 0, isStopped: false };
  return { ...options, ...rest, deps, authority, circuit, meter, steps: stepWriter(deps) };
}

/** Claims due documents as far as there is room, and calls the authority for each; returns how many it claimed. */
export async function claimDue(self: Dispatcher): Promise<number> {
  const { deps, circuit, held, cap, leaseMs } = self;
  if (deps.clock.isTrusted?.() === false) return 0;
  const most = circuit.allows(deps.clock.now(), cap - held.size, held.size);
  if (most <= 0) return 0;
  const documents = await claimDocuments(deps.pool, {
    secretKey: deps.config.secretKeys,
    now: deps.clock.now(),
    most,
    after: self.lastAccount,
    ...(leaseMs !== undefined && { leaseMs }),
  });
  // The worker stopped during the claim: documents sent now would be left in doubt until their lease ends.
  if (self.isStopped) {
    if (documents.length > 0) await releaseClaimed(deps.pool, documents);
    return 0;
  }
  self.lastAccount = documents.at(-1)?.accountId ?? self.lastAccount;
  for (const document of documents) hold(self, document);
  return documents.length;
}

function hold(self: Dispatcher, document: ClaimedDocument): void {
  const key = `${document.accountId} ${document.invoiceId}`;
  const held = self.held.get(key);
  if (!held) {
    const added: HeldDocument = { document, state: "calling", done: Promise.resolve() };
    self.held.set(key, added);
    added.done = handle(self, added).finally(() => release(self, key));
    return;
  }
  // Its step was stored, or its lease ended, and this process does not know yet: the claim is a new task.
  if (held.state === "recording") held.reclaimed = document;
  // Our own lease ended before the call did: the call goes on under the new claim.
  else held.document.claim = document.claim;
}

function release({ held, cap, onRoom }: Dispatcher, key: string): void {
  held.delete(key);
  // Refilling one by one would cost a query for each document.
  if (held.size === 0 || held.size <= cap * 0.75) onRoom();
}

async function handle(self: Dispatcher, held: HeldDocument): Promise<void> {
  for (;;) {
    const { document } = held;
    const call = nextCall(document.progress);
    const response = await callAuthority(self, document, call);
    held.state = "recording";
    await record(self, document, nextStep(document.progress, call, response));
    if (!held.reclaimed) return;
    held.document = held.reclaimed;
    held.reclaimed = undefined;
    held.state = "calling";
  }
}

async function callAuthority(
  self: Dispatcher,
  document: ClaimedDocument,
  call: AuthorityCall,
): Promise<AuthorityResponse> {
  const { deps, authority, circuit, meter } = self;
  const { accountId, invoiceId, submission } = document;
  const startedAt = performance.now();
  const response = storable(
    await authority[call](submission).catch(
      (error: Error): AuthorityResponse => ({ kind: "unavailable", message: error.message }),
    ),
  );
  const ms = Math.round(performance.now() - startedAt);
  self.calls += 1;
  circuit.record(response.kind !== "unavailable", deps.clock.now());
  meter.called(response.kind, ms);
  const fields = {
    account_id: accountId,
    invoice_id: invoiceId,
    document: `${submission.document.prefix}${submission.document.number}`,
    ask: call,
    answer: response.kind,
    message: response.message,
    ms,
  };
  deps.log.info(fields, "tax authority asked");
  return response;
}

/** When it fails, the document's lease ends, and the next worker asks the authority what became of it. */
async function record({ deps, steps }: Dispatcher, document: ClaimedDocument, step: Step): Promise<void> {
  await steps
    .write(document, step)
    .catch((error: Error) =>
      deps.log.error({ err: error, invoice_id: document.invoiceId }, "an authority's response could not be stored"),
    );
}

const longestMessage = 2_000;

/** Removes what PostgreSQL does not store from a foreign message: a verdict must not fail over and over because of it. */
function storable(response: AuthorityResponse): AuthorityResponse {
  if (response.message === null) return response;
  const message = response.message.replaceAll("\u0000", "").toWellFormed().slice(0, longestMessage).toWellFormed();
  return { ...response, message } as AuthorityResponse;
}
