import { expect, test, vi } from "vitest";
import { AccountQueue, maxQueuedWrites } from "./account-queue.ts";
import type { Job, WritingDeps } from "./job.ts";

function job(isShort = true): Job {
  const deps = {} as WritingDeps;
  return { deps, requestId: undefined, isShort, run: async () => undefined, settle() {}, fail: vi.fn<Job["fail"]>() };
}

function queueOf(...jobs: Job[]): AccountQueue {
  const queue = new AccountQueue("a");
  for (const one of jobs) queue.add(one);
  return queue;
}

test("it is ready with its first job, and empty when a run ends and nothing waits", () => {
  const queue = new AccountQueue("a");
  expect(queue.state).toBe("empty");
  queue.add(job());
  expect(queue.state).toBe("ready");
  queue.run("shared");
  queue.take();
  queue.end();
  expect(queue.state).toBe("empty");
});

test("a job that comes during a run waits for its end", () => {
  const queue = queueOf(job());
  queue.run("alone");
  queue.take();
  queue.add(job());
  expect(queue.state).toBe("alone");
  queue.end();
  expect(queue.state).toBe("ready");
});

test("a shared run goes on with the next jobs, or alone with those that it could not do", () => {
  const queue = queueOf(job());
  queue.run("shared");
  queue.run("shared");
  queue.run("alone");
  expect(() => queue.run("shared")).toThrow("cannot go from alone to shared");
  expect(() => queue.run("alone")).toThrow("cannot go from alone to alone");
});

test("nothing runs in a queue that no run has begun for", () => {
  const queue = queueOf(job());
  expect(() => queue.take()).toThrow("is ready: none of its jobs may run");
  expect(() => queue.end()).toThrow("cannot go from ready to ready");
  expect(() => new AccountQueue("a").run("shared")).toThrow("cannot go from empty to shared");
});

test("short and long jobs are not taken together, and what is put back is next", () => {
  const [first, second, long, last] = [job(), job(), job(false), job()];
  const queue = queueOf(first, second, long, last);
  queue.run("shared");
  expect(queue.take().jobs).toEqual([first, second]);
  queue.putBack({ accountId: "a", jobs: [second] });
  expect(queue.take().jobs).toEqual([second]);
  expect(queue.isNextShort).toBe(false);
  expect(queue.take().jobs).toEqual([long]);
  expect(queue.take().jobs).toEqual([last]);
});

test("it is full at its limit, and those that wait can be failed together", () => {
  const jobs = Array.from({ length: maxQueuedWrites }, () => job());
  const queue = queueOf(...jobs);
  expect(queue.isFull).toBe(true);
  const error = new Error("no database");
  queue.failWaiting(error);
  expect(queue.isFull).toBe(false);
  for (const { fail } of jobs) expect(fail).toHaveBeenCalledExactlyOnceWith(error);
});
