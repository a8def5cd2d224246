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

/** What the driver has that its types do not declare. */
interface DriverClient {
  _types: unknown;
}

interface Connection {
  stream: { cork(): void; uncork(): void };
  parse(message: { name: string | undefined; text: string }): void;
  bind(message: { statement: string | undefined; values: unknown[]; valueMapper: (value: unknown) => unknown }): void;
  describe(message: { type: "P"; name: string }): void;
  execute(message: object): void;
  sync(): void;
  /** By their names, those that PostgreSQL has parsed and those that are on the way. */
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
}

interface DriverResult extends pg.QueryResult {
  addFields(fields: unknown): void;
  parseRow(fields: unknown): object;
  addRow(row: object): void;
  addCommandComplete(message: unknown): void;
}

const { Query, Result, utils } = pg as unknown as {
  /** In pipeline mode the driver takes nothing else. */
  Query: new (
    text: string,
    values: unknown[],
    callback: Callback,
  ) => object;
  Result: new (rowMode: string | undefined, types: unknown) => DriverResult;
  utils: { prepareValue(value: unknown): unknown };
};

type Callback = (error: Error | null, results?: pg.QueryResult[]) => void;

/** To the driver it is one query, which takes each message for the statement whose turn it is. */
class Packet extends Query {
  declare callback: Callback;
  readonly #statements: readonly PacketStatement[];
  readonly #results: readonly DriverResult[];
  readonly #onResult: ((place: number, result: pg.QueryResult) => void) | undefined;
  #turn = 0;
  /** The first statement that could not be sent or whose rows could not be read. */
  #failed: { turn: number; error: Error } | undefined;

  constructor(
    client: DriverClient,
    statements: readonly PacketStatement[],
    callback: Callback,
    onResult?: (place: number, result: pg.QueryResult) => void,
  ) {
    super("", [], callback);
    this.#statements = statements;
    this.#results = statements.map(({ rowMode, types }) => new Result(rowMode, types ?? client._types));
    this.#onResult = onResult;
  }

  // The driver remembers by these which statement has been parsed.
  get name(): string | undefined {
    return this.#statements[this.#turn]?.name;
  }

  get text(): string | undefined {
    return this.#statements[this.#turn]?.text;
  }

  // The driver's constructor sets them.
  set name(_none: string | undefined) {}

  set text(_none: string | undefined) {}

  /** For those who watch what is sent. */
  get texts(): string[] {
    return this.#statements.map(({ text }) => text);
  }

  submit(connection: Connection): null {
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
    return null;
  }

  handleRowDescription({ fields }: { fields: unknown }): void {
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

  handleError(error: Error, connection: Connection): void {
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

function send(connection: Connection, { name, text, values }: PacketStatement): void {
  const { parsedStatements: parsed, submittedNamedStatements: submitted } = connection;
  if (name === undefined || (parsed[name] === undefined && submitted[name] === undefined)) {
    connection.parse({ name, text });
    if (name !== undefined) submitted[name] = text;
  }
  connection.bind({ statement: name, values, valueMapper: utils.prepareValue });
  connection.describe({ type: "P", name: "" });
  connection.execute({});
}
