import pg from "pg";
import { prepareValue } from "./driver.ts";
import type { Client } from "./pool.ts";
import { prepared, type Statement } from "./sql.ts";

/** A statement, with its own type parsers or row format if they differ from those of the pool. */
export type PacketStatement = Statement & { types?: pg.CustomTypesConfig; rowMode?: "array" };

/**
 * Sends statements as one packet with a single Sync, and resolves with their results. The driver ends each statement with a
 * Sync of its own, at which PostgreSQL reports and writes to the socket: seven writes and wake-ups for a write of seven
 * statements. After an error PostgreSQL skips the rest, so there is one error for all.
 */
export function sendPacket(client: Client, statements: readonly (Statement | string)[]): Promise<pg.QueryResult[]> {
  return new Promise((resolve, reject) => {
    const whole = statements.map((statement) =>
      typeof statement === "string" ? { ...prepared(statement, []), name: statement } : statement,
    );
    const packet = new Packet(client, whole, (error, results) => (error ? reject(error) : resolve(results!)));
    client.query(packet);
  });
}

/**
 * Sends independent reads as one packet. `onResult` is called for each as soon as its result is complete, with the index of
 * the statement. After an error, the first statement without a result is the one that failed; the others after it
 * have not run.
 */
export function sendReads(
  client: Client,
  statements: readonly PacketStatement[],
  onResult: (place: number, result: pg.QueryResult) => void,
  onError: (error: Error) => void,
): void {
  const done: Callback = (error) => error && onError(error);
  client.query(new Packet(client, statements, done, onResult));
}

type Callback = (error: Error | null, results?: pg.QueryResult[]) => void;

/** The driver sees a single query. Each message from the server belongs to the statement at `#turn`. */
class Packet extends pg.Query {
  callback: Callback;
  readonly #statements: readonly PacketStatement[];
  readonly #results: readonly pg.Result[];
  readonly #onResult: ((place: number, result: pg.QueryResult) => void) | undefined;
  #turn = 0;
  /** The first statement that could not be sent or whose rows could not be read. */
  #failed: { turn: number; error: Error } | undefined;

  constructor(
    client: Client,
    statements: readonly PacketStatement[],
    callback: Callback,
    onResult?: (place: number, result: pg.QueryResult) => void,
  ) {
    super("", []);
    this.callback = callback;
    this.#statements = statements;
    // A result uses nothing but getTypeParser, which both types have.
    const typesOf = ({ types = client._types }: PacketStatement) => types as typeof pg.types;
    this.#results = statements.map((statement) => new pg.Result(statement.rowMode ?? "", typesOf(statement)));
    this.#onResult = onResult;
  }

  // The driver reads name and text to remember which statement is prepared.
  get name(): string | undefined {
    return this.#statements[this.#turn]?.name;
  }

  get text(): string | undefined {
    return this.#statements[this.#turn]?.text;
  }

  // The driver's constructor sets them.
  set name(_none: string | undefined) {}

  set text(_none: string | undefined) {}

  /** For tests that watch what is sent. */
  get texts(): string[] {
    return this.#statements.map(({ text }) => text);
  }

  override submit = (connection: pg.Connection): void => {
    connection.stream.cork();
    for (const [turn, statement] of this.#statements.entries()) {
      try {
        send(connection, statement);
      } catch (error) {
        this.#failed = { turn, error: error as Error };
        break;
      }
    }
    connection.sync();
    connection.stream.uncork();
  };

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#results[this.#turn]!.addFields(fields);
  }

  handleDataRow({ fields }: { fields: unknown }): void {
    if (this.#failed?.turn === this.#turn) return;
    const result = this.#results[this.#turn]!;
    try {
      result.addRow(result.parseRow(fields));
    } catch (error) {
      this.#failed ??= { turn: this.#turn, error: error as Error };
    }
  }

  handleCommandComplete(message: unknown): void {
    const turn = this.#turn++;
    const result = this.#results[turn]!;
    result.addCommandComplete(message);
    if (this.#failed?.turn !== turn) this.#onResult?.(turn, result);
  }

  handleError(error: Error, connection: pg.Connection): void {
    // Those after the failed one were skipped: PostgreSQL has not parsed them.
    for (const { name } of this.#statements.slice(this.#turn + 1))
      if (name !== undefined) delete connection.submittedNamedStatements[name];
    this.callback(error);
  }

  handleReadyForQuery(): void {
    if (this.#failed) this.callback(this.#failed.error);
    else this.callback(null, [...this.#results]);
  }
}

function send(connection: pg.Connection, { name, text, values }: PacketStatement): void {
  const { parsedStatements: parsed, submittedNamedStatements: submitted } = connection;
  if (name === undefined || (parsed[name] === undefined && submitted[name] === undefined)) {
    connection.parse({ name, text });
    if (name !== undefined) submitted[name] = text;
  }
  connection.bind({ statement: name, values, valueMapper: prepareValue });
  connection.describe({ type: "P", name: "" });
  connection.execute({});
}
