import pg from "pg";
import type { Client } from "./pool.ts";
import { prepared, type Statement } from "./sql.ts";

/** A statement, and how its rows are wanted if not as the pool has them. */
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
    const packet = new Packet(client as unknown as DriverClient, whole, (error, results) =>
      error ? reject(error) : resolve(results!),
    );
    client.query(packet as unknown as pg.Submittable);
  });
}

/**
 * Sends reads that need nothing of each other as one packet. Each result is handed over as soon as it is complete, with the
 * place of its statement. After an error, the first statement without a result is the one that failed; the others after it
 * have not run.
 */
export function sendReads(
  client: Client,
  statements: readonly PacketStatement[],
  onResult: (place: number, result: pg.QueryResult) => void,
  onError: (error: Error) => void,
): void {
  const done: Callback = (error) => error && onError(error);
  client.query(new Packet(client as unknown as DriverClient, statements, done, onResult) as unknown as pg.Submittable);
}

/** What the driver's query does that its types do not declare. */
interface DriverQuery {
  name: string | undefined;
  text: string;
  _result: pg.QueryResult;
  prepare(connection: Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  _canceledDueToError: Error | false;
}

interface DriverClient {
  _types: unknown;
}

interface Connection {
  stream: { cork(): void; uncork(): void };
  sync(): void;
  submittedNamedStatements: Record<string, string>;
}

const Query = pg.Query as unknown as new (text: string, values: unknown[], callback: Callback) => DriverQuery;
const Result = pg.Result as unknown as new (rowMode: string | undefined, types: unknown) => pg.QueryResult;

type Callback = (error: Error | null, results?: pg.QueryResult[]) => void;

/** The text is given by itself: of an object, the driver would make a slow copy, property by property. */
function queryOf({ text, values, name, rowMode, types }: PacketStatement, client: DriverClient): DriverQuery {
  const query = new Query(text, values, () => {});
  query.name = name;
  query._result = new Result(rowMode, types ?? client._types);
  return query;
}

/** To the driver it is one query; it hands each message on to the statement whose turn it is. */
class Packet extends Query {
  declare callback: Callback;
  readonly #statements: readonly DriverQuery[];
  readonly #onResult: ((place: number, result: pg.QueryResult) => void) | undefined;
  #turn = 0;

  constructor(
    client: DriverClient,
    statements: readonly PacketStatement[],
    callback: Callback,
    onResult?: (place: number, result: pg.QueryResult) => void,
  ) {
    super("", [], callback);
    this.#onResult = onResult;
    this.#statements = statements.map((statement) => queryOf(statement, client));
    // The driver remembers by these which statement has been parsed.
    Object.defineProperties(this, {
      name: { get: () => this.#statements[this.#turn]?.name },
      text: { get: () => this.#statements[this.#turn]?.text },
    });
  }

  /** For those who watch what is sent. */
  get texts(): string[] {
    return this.#statements.map(({ text }) => text);
  }

  submit(connection: Connection): null {
    const withoutSync = Object.create(connection, { sync: { value: () => {} } }) as Connection;
    connection.stream.cork();
    try {
      for (const statement of this.#statements) statement.prepare(withoutSync);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  override handleRowDescription(message: unknown): void {
    this.#statements[this.#turn]!.handleRowDescription(message);
  }

  override handleDataRow(message: unknown): void {
    this.#statements[this.#turn]!.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    const statement = this.#statements[this.#turn++]!;
    statement.handleCommandComplete(message, connection);
    if (!statement._canceledDueToError) this.#onResult?.(this.#turn - 1, statement._result);
  }

  handleError(error: Error, connection: Connection): void {
    // Those after the failed one were skipped: PostgreSQL has not parsed them.
    for (const { name } of this.#statements.slice(this.#turn + 1))
      if (name !== undefined) delete connection.submittedNamedStatements[name];
    this.callback(error);
  }

  override handleReadyForQuery(): void {
    const unread = this.#statements.find((statement) => statement._canceledDueToError);
    if (unread) this.callback(unread._canceledDueToError as Error);
    else
      this.callback(
        null,
        this.#statements.map(({ _result }) => _result),
      );
  }
}
