import { type Catalog, type CatalogRecord, newCatalog } from "./catalog.ts";
import { erasuresIn, forget } from "./forget.ts";
import { type Change, type Draft, type Entry, type Identity, Refusal } from "./protocol.ts";
import { isReadable } from "./readable.ts";
import { type Meta, metaRow, type Row, type Store, type StoreChange } from "./store.ts";
import type { SyncClient } from "./sync-client.ts";
import { unsentIds } from "./unsent.ts";
import { type Waiting, waitingCounts } from "./waiting.ts";

export interface RegisterOptions<Done extends void | Promise<void>> {
  store: Store<Done>;
  client: SyncClient;
  /** The register's own clock, right or wrong. */
  now: () => Date;
  /** Enrols anew after a fork or a revocation. Without it the refusal is thrown: a person has to link the register. */
  enrolAgain?: () => Promise<Identity>;
  /** Called for every change that was received, after it is stored. */
  onChange?: (change: Change) => void;
}

/** A register records immediately, uploads when it can, and receives the changes of others. */
export interface Register<Done extends void | Promise<void> = void | Promise<void>> {
  catalog: Catalog;
  identity(): Identity;
  /** The records, and what else changes with them, are durable when it is done, online or not. */
  record(drafts: readonly Draft[], others?: Omit<StoreChange, "entries">): Done;
  /** How many records the server has not acknowledged. */
  pending(): number;
  /** The same as a cashier counts it. */
  waiting(): Promise<Waiting>;
  /** Uploads one batch; true when more is pending. Throws when the request fails. */
  push(): Promise<boolean>;
  /** Receives one page; true when there is more. */
  pull(waitSeconds: number, stop?: AbortSignal): Promise<boolean>;
  /** Goes on as a newly enrolled device and uploads everything again; ids deduplicate. */
  relink(identity: Identity): Promise<void>;
}

const batchSize = 200;
/** The server reads at most 1 MiB; a batch stays well below. */
const batchBytes = 500_000;

/** Opens a register on a store that has an identity. */
export async function openRegister<Done extends void | Promise<void>>(
  options: RegisterOptions<Done>,
): Promise<Register<Done>> {
  const { store, client, now } = options;
  const catalog = newCatalog();
  // Asked for at once: each answer of a browser's store takes its time.
  const [position, hasLearned, records] = await Promise.all([
    readPosition(store),
    learned(store, client),
    store.list<CatalogRecord>("catalog"),
  ]);
  if (hasLearned) position.cursor = "";
  catalog.restore(records);

  async function setAcked(seq: number, epoch = position.epoch): Promise<void> {
    const acked = Math.min(seq, store.lastSeq());
    if (acked === position.acked && epoch === position.epoch) return;
    Object.assign(position, { acked, epoch });
    // If this is lost, the records are uploaded again and the server answers "duplicate".
    await store.commit({ put: [metaRow("acked", acked), metaRow("epoch", epoch)] });
    // What waited has arrived as it was.
    if (acked > 0) await forget(store, catalog, [], acked);
  }

  /** A database restored from a backup has another epoch, and has lost what this register uploaded since the backup. */
  async function noticeEpoch(epoch: string, ackedSeq: number): Promise<void> {
    if (epoch !== position.epoch) await setAcked(Math.min(ackedSeq, position.acked), epoch);
  }

  async function relink(identity: Identity): Promise<void> {
    await store.renumber(identity);
    Object.assign(position, { identity, acked: 0, epoch: identity.epoch, cursor: "" });
  }

  async function handleRefusal(error: unknown): Promise<void> {
    if (!(error instanceof Refusal)) throw error;
    // Only what was acknowledged before can be missing: nothing else is taken for uploaded, and no two tries are alike.
    const expected = error.expected ?? 1;
    if (error.code === "DEVICE_SEQ_GAP" && expected >= 1 && expected <= position.acked) return setAcked(expected - 1);
    const isRetired = error.code === "DEVICE_FORKED" || error.code === "DEVICE_REVOKED";
    if (!isRetired || !options.enrolAgain) throw error;
    return relink(await options.enrolAgain());
  }

  return {
    catalog,
    relink,
    identity: () => position.identity,
    record(drafts, others = {}) {
      const edited_at = now().toISOString();
      const entries = drafts.map(({ type, id, op = "upsert", changed = null, data, ...beside }) => ({
        ...{ type, id, op, base_seq: catalog.seqOf(id), edited_at, changed, data },
        ...beside,
      }));
      return store.commit({ ...others, entries });
    },
    pending: () => store.lastSeq() - position.acked,
    waiting: waitingCounts(store, () => position.acked),
    async push() {
      const records = withinBytes(await store.entries(position.acked, batchSize));
      if (records.length === 0) return false;
      try {
        // The service was put back to a copy from before the oldest upload that is still here: only a new link goes on.
        if (records[0]!.device_seq > position.acked + 1)
          throw new Refusal(409, { code: "DEVICE_FORKED", message: "faltan subidas que esta caja ya no guarda" });
        const response = await client.push(position.identity.token, now().toISOString(), records);
        // What was not sent is not taken for uploaded, whatever the answer says.
        await setAcked(Math.min(response.acked_seq, records.at(-1)!.device_seq), response.epoch);
        // The response holds records that were merged; the feed will bring them too.
        for (const { device_seq, status, record } of response.results) {
          const sent = records.find((one) => one.device_seq === device_seq);
          const isCorrected = status === "merged" && sent && isReadable({ ...sent, deleted: false, data: record });
          if (isCorrected) catalog.correct(sent.type, sent.id, record);
        }
      } catch (error) {
        await handleRefusal(error);
      }
      return store.lastSeq() > position.acked;
    },
    async pull(waitSeconds, stop) {
      try {
        const { token } = position.identity;
        const response = await client.changes(token, position.cursor, waitSeconds, stop);
        await noticeEpoch(response.epoch, response.acked_seq);
        const readable = response.changes.filter(isReadable);
        // Before the feed takes away by what they are known; again, if that was interrupted.
        const erasures = erasuresIn(readable);
        if (erasures.length > 0) await forget(store, catalog, erasures, position.acked);
        const changes = readable.filter(({ type }) => type !== "erasure");
        const put = changes.map((change): Row => documentRow(change) ?? catalog.take(change));
        const hasMoved = response.cursor !== position.cursor;
        if (hasMoved) await store.commit({ put: [...put, metaRow("cursor", response.cursor)] });
        position.cursor = response.cursor;
        if (options.onChange) readable.forEach(options.onChange);
        return response.has_more;
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== "CURSOR_EXPIRED") throw error;
        // Start over; what is unsent stays in the outbox, and on the screen.
        const kept = catalog.keepOnly(await unsentIds(store, position.acked));
        await store.commit({ clear: ["catalog", "document"], put: [...kept, metaRow("cursor", "")] });
        position.cursor = "";
        return true;
      }
    },
  };
}

/** An app that knows more than the one before reads the feed anew: what it can read now came down without it. */
async function learned(store: Store, { capabilities }: SyncClient): Promise<boolean> {
  const before = (await store.get<Meta["capabilities"]>("meta", "capabilities")) ?? [];
  if (capabilities.every((one) => before.includes(one))) return false;
  await store.commit({ put: [metaRow("cursor", ""), metaRow("capabilities", [...capabilities])] });
  return true;
}

async function readPosition(store: Store): Promise<Omit<Meta, "capabilities">> {
  const read = <Key extends keyof Meta>(key: Key) => store.get<Meta[Key]>("meta", key);
  const [identity, acked = 0, epoch, cursor = ""] = await Promise.all([
    read("identity"),
    read("acked"),
    read("epoch"),
    read("cursor"),
  ]);
  if (!identity) throw new Error("the store has no identity");
  return { identity, acked: Math.min(acked, store.lastSeq()), epoch: epoch ?? identity.epoch, cursor };
}

/** Documents are looked up by their sale when a ticket is shown, and are not kept in memory. */
function documentRow({ type, id, data }: Change): Row | undefined {
  return type === "invoice" ? { table: "document", key: id, value: data, group: data?.sale_id ?? "" } : undefined;
}

/** The first records, up to the size of a request, and at least one. */
function withinBytes(records: readonly Entry[]): Entry[] {
  let bytes = 0;
  const end = records.findIndex((record, i) => {
    bytes += JSON.stringify(record).length;
    return i > 0 && bytes > batchBytes;
  });
  return end === -1 ? [...records] : records.slice(0, end);
}
