import type pg from "pg";
import type { Pool } from "../../src/db/pool.ts";

interface Bind {
  statement?: string;
  values: unknown[];
  valueMapper?: unknown;
}

interface Connection {
  parse(message: { name: string; text: string }): void;
  bind(message: Bind): void;
}

/** Puts faults in the place of statements. */
export interface Saboteur {
  /** From now on, the statement of this place (the first is 1) fails with this code, and so do all after it if it lasts. */
  failAt(place: number, code: string, lasts: boolean): void;
  /** Whether the fault happened; nothing fails any more after this. */
  end(): boolean;
}

/**
 * Makes PostgreSQL itself raise an error in the place of a statement that the pool's connections send. What was asked is never
 * run; the transaction around it is lost as it would be.
 */
export async function sabotage(pool: Pool): Promise<Saboteur> {
  await pool.query(
    `create or replace function raise_code(code text) returns void language plpgsql as
     $$ begin raise exception using errcode = code, message = 'fault ' || code; end $$`,
  );
  const patched = new WeakSet<object>();
  let left = Number.POSITIVE_INFINITY;
  let code = "";
  let lasting = false;
  pool.on("acquire", (client: pg.PoolClient) => {
    const { connection } = client as unknown as { connection: Connection };
    if (patched.has(connection)) return;
    patched.add(connection);
    const bind = connection.bind.bind(connection);
    connection.bind = (message) => {
      left -= 1;
      if (left > 0 || (left < 0 && !lasting)) return bind(message);
      connection.parse({ name: "", text: `select raise_code('${code}')` });
      bind({ ...message, statement: "", values: [] });
    };
  });
  return {
    failAt(place, of, lasts) {
      lasting = lasts;
      left = place;
      code = of;
    },
    end() {
      const happened = left <= 0;
      left = Number.POSITIVE_INFINITY;
      return happened;
    },
  };
}
