import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Catalog, newCatalog } from "./catalog.ts";
import { type Entry, type Identity, type Outbox, openOutbox } from "./outbox.ts";
import { Refusal, type SyncClient } from "./sync-client.ts";

export interface RegisterOptions {
  /** Where its journals live; a register opened on the same folder goes on where it was. */
  folder: string;
  name: string;
  client: SyncClient;
  /** Codes for its first enrolment, and for the next one after a fork. */
  newCode: () => Promise<string>;
  /** The register's own clock, right or wrong. */
  now: () => Date;
}

/** What a cashier's action writes down. */
export type Draft = Pick<Entry, "type" | "id" | "data"> & Partial<Pick<Entry, "op" | "changed">>;

/** A register: records at once, uploads when it can, receives what others changed. */
export interface Register {
  name: string;
  catalog: Catalog;
  /** Durable when it returns, connected or not. */
  record(drafts: readonly Draft[]): void;
  pending(): number;
  /** Uploads one batch; true when something is left. Throws when the network or the server does not answer. */
  push(): Promise<boolean>;
  /** Receives one page; true when there is more. */
  pull(waitSeconds: number): Promise<boolean>;
  /** Everything this register ever recorded, in all its journals. */
  books(): Entry[];
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

  /** Someone with our name has used our numbers: we become a new device and send our books again; ids dedupe. */
  async function enrolAnew(): Promise<void> {
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
        const answer = await client.push(outbox.identity.token, now().toISOString(), records);
        outbox.acked(answer.acked_seq);
        // What was merged differently comes back at once; the feed will bring it too.
        for (const { device_seq, status, record } of answer.results) {
          const sent = records.find((one) => one.device_seq === device_seq);
          if (status === "merged" && sent && record) catalog.correct(sent.type, sent.id, record);
        }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.code === "DEVICE_SEQ_GAP") outbox.acked((error.expected ?? 1) - 1);
        else if (error.code === "DEVICE_FORKED" || error.code === "DEVICE_REVOKED") await enrolAnew();
        else throw error;
      }
      return outbox.pending(1).length > 0;
    },
    async pull(waitSeconds) {
      try {
        const answer = await client.changes(outbox.identity.token, cursor, waitSeconds);
        for (const change of answer.changes) catalog.take(change);
        cursor = answer.cursor;
        return answer.has_more;
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== "CURSOR_EXPIRED") throw error;
        // Everything from the start; what is unsent stays in the outbox.
        catalog.clear();
        cursor = "";
        return true;
      }
    },
    books: () => readBooks(folder),
    backUp(target) {
      rmSync(target, { recursive: true, force: true });
      cpSync(folder, target, { recursive: true });
    },
    close: () => outbox.close(),
  };
}

export function readBooks(folder: string): Entry[] {
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
