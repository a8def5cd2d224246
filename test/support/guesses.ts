import { connect } from "node:net";
import type { Pool } from "../../src/db/pool.ts";
import { minGapMs } from "../../src/lib/gathered.ts";

const sockets = 8;
const statusLine = /HTTP\/1\.1 (\d{3})/g;

/** A stranger who sends one GET after another, each with a token of its own. */
export function sendGuesses(baseUrl: string, path: string, token: () => string, count: number) {
  let isOver = false;
  const statuses = Promise.all(Array.from({ length: sockets }, () => sendOn(baseUrl, path, token, count / sockets)))
    .then((all) => {
      const sums = new Map<number, number>();
      for (const status of all.flat()) sums.set(status, (sums.get(status) ?? 0) + 1);
      return sums;
    })
    .finally(() => {
      isOver = true;
    });
  return { statuses, isOver: () => isOver };
}

/** Some at a time, without waiting for each answer. */
function sendOn(baseUrl: string, path: string, token: () => string, count: number): Promise<number[]> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const statuses: number[] = [];
  let sent = 0;
  let text = "";
  const fill = () => {
    let requests = "";
    for (; sent < count && sent < statuses.length + 25; sent++)
      requests += `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token()}\r\n\r\n`;
    if (requests !== "") socket.write(requests);
  };
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`the connection was closed after ${statuses.length} answers`)));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      for (const [, status] of text.matchAll(statusLine)) statuses.push(Number(status));
      // A status line may come in two parts.
      const parts = text.split(statusLine);
      text = parts.at(-1)!.slice(-11);
      if (statuses.length === count) {
        resolve(statuses);
        socket.destroy();
      } else fill();
    });
    fill();
  });
}

/** Counts the pool's connections in use at once, and how often one was taken; and how many look-ups the time allows. */
export function watchLookUps(pool: Pool) {
  const startedAt = performance.now();
  let most = 0;
  let total = 0;
  pool.on("acquire", () => {
    total += 1;
    most = Math.max(most, pool.totalCount - pool.idleCount);
  });
  return () => ({ most, total, allowed: 1 + (performance.now() - startedAt) / minGapMs });
}
