import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Catalog, newCatalog } from "./catalog.ts";
import { type Entry, type Identity, type Outbox, openOutbox } from "./outbox.ts";
import { Refusal, type SyncClient } from "./sync-client.ts";

export interface RegisterOptions {
  /** Where its journals are. A register opened on the same folder continues where it stopped. */
  folder: string;
  name: string;
  client: SyncClient;
  /** Returns an enrolment code: for the first enrolment, and again after a fork. */
  newCode: () => Promise<string>;
  /** The register's own clock, right or wrong. */
  now: () => Date;
}

/** A record as a cashier's action describes it. */
export type Draft = Pick<Entry, "type" | "id" | "data"> & Partial<Pick<Entry, "op" | "changed">>;

/** A register records immediately, uploads when it can, and receives the changes of others. */
export interface Register {
  name: string;
  catalog: Catalog;
  /** The records are durable when it returns, online or not. */
  record(drafts: readonly Draft[]): void;
  pending(): number;
  /** Uploads one batch; true when more is pending. Throws when the request fails. */
  push(): Promise<boolean>;
  /** Receives one page; true when there is more. */
  pull(waitSeconds: number): Promise<boolean>;
  /** Everything this register ever recorded, in all its journals. */
  allEntries(): Entry[];
  backUp(folder: string): void;
  close(): void;
}

const batchSize = 200;

export async function openRegister(options: RegisterOptions): Promise<Register> {
  const { client, folder, now } = options;
  const catalog = newCatalog();
  let cursor = "";
  let outbox = await openLast();

  async function openLast(): Promise<Outbox> {
    const last = journals(folder).at(-1);
    return last ? openOutbox(join(folder, last)) : openNew(await enrol());
  }

  async function enrol(): Promise<Identity> {
    return client.enrol(await options.newCode(), options.name);
  }

  function openNew(identity: Identity): Outbox {
    const number = String(journals(folder).length + 1).padStart(3, "0");
    return openOutbox(join(folder, `outbox-${number}.jsonl`), identity);
  }

  /** Another copy of this register has used its sequence numbers. It enrols as a new device and uploads everything again; ids deduplicate. */
  async function enrolAgain(): Promise<void> {
    const identity = await enrol();
    const entries = outbox.entries();
    outbox.close();
    outbox = openNew(identity);
    outbox.record(entries.map(({ device_seq: _, ...entry }) => entry));
    cursor = "";
  }

  return {
    name: options.name,
    catalog,
    record(drafts) {
      const edited_at = now().toISOString();
      outbox.record(
        drafts.map(({ type, id, op = "upsert", changed = null, data }) => ({
          type,
          id,
          op,
          base_seq: catalog.seqOf(id),
          edited_at,
          changed,
          data,
        })),
      );
    },
    pending: () => outbox.entries().length - outbox.ackedSeq(),
    async push() {
      const records = outbox.pending(batchSize);
      if (records.length === 0) return false;
      try {
        const response = await client.push(outbox.identity.token, now().toISOString(), records);
        outbox.acked(response.acked_seq);
        // The response holds records that were merged; the feed will bring them too.
        for (const { device_seq, status, record } of response.results) {
          const sent = records.find((one) => one.device_seq === device_seq);
          if (status === "merged" && sent && record) catalog.correct(sent.type, sent.id, record);
        }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.code === "DEVICE_SEQ_GAP") outbox.acked((error.expected ?? 1) - 1);
        else if (error.code === "DEVICE_FORKED" || error.code === "DEVICE_REVOKED") await enrolAgain();
        else throw error;
      }
      return outbox.pending(1).length > 0;
    },
    async pull(waitSeconds) {
      try {
        const response = await client.changes(outbox.identity.token, cursor, waitSeconds);
        for (const change of response.changes) catalog.take(change);
        cursor = response.cursor;
        return response.has_more;
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== "CURSOR_EXPIRED") throw error;
        // Start over; pending entries stay in the outbox.
        catalog.clear();
        cursor = "";
        return true;
      }
    },
    allEntries: () => readEntries(folder),
    backUp(target) {
      rmSync(target, { recursive: true, force: true });
      cpSync(folder, target, { recursive: true });
    },
    close: () => outbox.close(),
  };
}

export function readEntries(folder: string): Entry[] {
  return journals(folder).flatMap((name) => {
    const outbox = openOutbox(join(folder, name));
    outbox.close();
    return outbox.entries();
  });
}

/** The files of a register's journals, oldest first. */
export function journalsOf(folder: string): string[] {
  return journals(folder).map((name) => join(folder, name));
}

function journals(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^outbox-\d+\.jsonl$/.test(name))
    .sort();
}
