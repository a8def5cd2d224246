import type { EventType } from "../../src/engine/events/event-types.ts";
import type { RecordBody, Resource, Stored } from "../../src/engine/resources/resource.ts";
import { WriteQueue } from "../../src/engine/writing/write-queue.ts";
import { type WritingDeps, writing } from "../../src/engine/writing/writing.ts";
import { waitingSessions } from "./hold-clock.ts";
import type { Service } from "./service.ts";

/** A kind of record that a crowd writes, and its events. */
export interface Kind {
  path: string;
  resource: Resource<RecordBody, object>;
  make(at: string): Stored<RecordBody, object>;
  created: EventType;
  updated: EventType;
  isDeletable: boolean;
}

/** One write of the plan. Targets are numbers, taken modulo the number of records. */
export interface Task {
  inserts: number;
  updates: number[];
  deletes: number[];
  /** Holds the account's clock until it is emitted to finish. */
  isSlow: boolean;
}

export interface EmittedEvent {
  type: EventType;
  object: string;
}

type State = "queued" | "holding" | "done";

interface Writer {
  state: State;
  open: () => void;
  done: Promise<void>;
}

/** Several writers on one account, some of them slow, and what they have committed so far. */
export interface Crowd {
  /** Begins a write; returns once it is committed, paused, or queued for the account's clock. */
  start(task: Task): Promise<void>;
  /** Lets the write that holds the clock commit, and those behind it continue. */
  finish(): Promise<void>;
  /** Begins writes without waiting for any: only for tasks that are not slow. */
  rush(tasks: readonly Task[]): Promise<void>;
  finishAll(): Promise<void>;
  /** Ids that are committed and that no write has begun to delete. */
  present(): Set<string>;
  /** The events of all commits, in the order of the account's clock. */
  emitted(): EmittedEvent[];
}

/** Writers of one process queue before the database; those of several processes queue for the account's clock. */
function processOfItsOwn(deps: WritingDeps): WritingDeps {
  return { ...deps, writes: new WriteQueue(deps.pool) };
}

export function crowd(service: Service, accountId: string, kind: Kind): Crowd {
  const writers: Writer[] = [];
  const committed: string[] = [];
  const doomed = new Set<string>();
  const commits: { seq: number; emitted: EmittedEvent[] }[] = [];

  function begin(task: Task, deps: WritingDeps): Writer {
    const gate = Promise.withResolvers<void>();
    const writer: Writer = { state: "queued", open: gate.resolve, done: Promise.resolve() };
    if (!task.isSlow) gate.resolve();
    writer.done = writing(deps, accountId, async (write) => {
      writer.state = "holding";
      await gate.promise;
      const emitted: EmittedEvent[] = [];
      const at = write.at.toISOString();
      const put = (record: Stored<RecordBody, object>, type: EventType | undefined) => {
        write.put(kind.resource, record);
        if (type === undefined) return;
        write.emit(type, record.body);
        emitted.push({ type, object: write.published(record.body) });
      };
      const made = Array.from({ length: task.inserts }, () => kind.make(at));
      for (const record of made) put(record, kind.created);
      const targets = (picks: readonly number[]) =>
        committed.length === 0 ? [] : [...new Set(picks.map((pick) => committed[pick % committed.length]!))];
      const deleted = kind.isDeletable ? targets(task.deletes) : [];
      for (const id of new Set([...targets(task.updates), ...deleted])) {
        const current = (await write.load(kind.resource, id))!;
        const goes = deleted.includes(id);
        if (goes) doomed.add(id);
        const body = { ...current.body, updated_at: at, ...(goes && { deleted_at: at }) };
        put({ ...current, body }, goes ? undefined : kind.updated);
      }
      return { seq: write.seq, emitted, ids: made.map(({ body }) => body.id) };
    }).then(({ seq, emitted, ids }) => {
      committed.push(...ids);
      commits.push({ seq, emitted });
      writer.state = "done";
    });
    // A failure is reported by whoever awaits this write; until then it must not count as unhandled.
    writer.done.catch(() => {
      writer.state = "done";
    });
    writers.push(writer);
    return writer;
  }

  /** Waits until nothing moves: all are done, or one is paused and the rest wait for it in the database. */
  async function settle(): Promise<void> {
    for (;;) {
      const pending = writers.filter((writer) => writer.state !== "done");
      if (pending.length === 0) return;
      const waiting = await waitingSessions(service.deps);
      // Read the states again: during the query one write may have ended and the next not yet begun.
      const queued = pending.filter((writer) => writer.state === "queued").length;
      const isHeld = pending.some((writer) => writer.state === "holding");
      if (isHeld && waiting === queued) return;
    }
  }

  const crowd: Crowd = {
    async start(task) {
      const writer = begin(task, processOfItsOwn(service.deps));
      await settle();
      if (writer.state === "done") await writer.done;
    },
    async finish() {
      // Only one write holds the clock at a time.
      const holder = writers.findLast((writer) => writer.state === "holding");
      holder?.open();
      await holder?.done;
      await settle();
    },
    async rush(tasks) {
      await Promise.all(tasks.map((task) => begin(task, service.deps).done));
    },
    async finishAll() {
      while (writers.some((writer) => writer.state !== "done")) await crowd.finish();
      await Promise.all(writers.map((writer) => writer.done));
    },
    present: () => new Set(committed.filter((id) => !doomed.has(id))),
    emitted: () => commits.toSorted((a, b) => a.seq - b.seq).flatMap((commit) => commit.emitted),
  };
  return crowd;
}
