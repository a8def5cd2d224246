import type { QueryResult, QueryResultRow } from "pg";
import { must } from "../lib/must.ts";
import type { Reads } from "./shared-reads.ts";
import type { Statement } from "./sql.ts";

/** Statements that do not depend on each other, and what their results say. Declared first, sent by whoever has a connection. */
export interface Read<T> {
  statements: readonly Statement[];
  from(results: readonly QueryResult[]): T;
}

export function reading<Row extends QueryResultRow, T>(statement: Statement, from: (rows: Row[]) => T): Read<T> {
  return { statements: [statement], from: ([result]) => from((result?.rows ?? []) as Row[]) };
}

/** The row of a statement that always returns one. */
export function oneRow<Row>(rows: readonly Row[]): Row {
  return must(rows[0], "The statement returns a row in any case");
}

/** For a read that has nothing to ask. */
export function withoutReading<T>(value: () => T): Read<T> {
  return { statements: [], from: value };
}

/** Several reads as one. */
export function readingAll<T extends object>(reads: { [Name in keyof T]: Read<T[Name]> }): Read<T> {
  const all = Object.entries<Read<unknown>>(reads);
  return {
    statements: all.flatMap(([, { statements }]) => statements),
    from(results) {
      let end = 0;
      const answers = all.map(([name, { statements, from }]) => {
        const start = end;
        end += statements.length;
        return [name, from(results.slice(start, end))];
      });
      return Object.fromEntries(answers) as T;
    },
  };
}

export async function ask<T>(db: Reads, { statements, from }: Read<T>): Promise<T> {
  return from(await Promise.all(statements.map((statement) => db.query(statement))));
}
