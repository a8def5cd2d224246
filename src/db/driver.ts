import pg from "pg";

/** What the driver has and its types do not declare. A new version of the driver is tried by the tests of packets and of lost connections. */
declare module "pg" {
  interface Client {
    /** How the rows of its queries are read. */
    readonly _types: pg.CustomTypesConfig;
    /** The backend's process; undefined behind a pooler that does not tell it. */
    readonly processID: number | undefined;
    readonly connectionParameters: pg.ClientConfig;
  }

  interface Connection {
    /** By their names, those that PostgreSQL has parsed and those that are on the way. */
    readonly parsedStatements: Record<string, string>;
    readonly submittedNamedStatements: Record<string, string>;
    parse(message: { name: string | undefined; text: string }): void;
    bind(message: { statement: string | undefined; values: unknown[]; valueMapper: (value: unknown) => unknown }): void;
    describe(message: pg.MessageConfig): void;
    execute(message: pg.ExecuteConfig): void;
  }

  interface Result {
    addFields(fields: pg.FieldDef[]): void;
    parseRow(fields: unknown): object;
    addRow(row: object): void;
    addCommandComplete(message: unknown): void;
  }
}

const { utils } = pg as typeof pg & { utils: { prepareValue(value: unknown): unknown } };

/** A parameter as the protocol takes it. */
export const { prepareValue } = utils;
