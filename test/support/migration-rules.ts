import { splitStatements } from "../../src/db/split-statements.ts";

/** Tables that grow with the businesses and not with what they sell: an index of theirs is built in milliseconds. */
const smallTables = new Set([
  "accounts",
  "api_keys",
  "devices",
  "email_changes",
  "enrolment_codes",
  "factors",
  "fills",
  "incidents",
  "installation",
  "invitations",
  "memberships",
  "migrations",
  "passkey_challenges",
  "password_resets",
  "people",
  "portal_sessions",
  "recovery_codes",
  "roles",
  "security_freezes",
  "security_notices",
  "sign_in_failures",
  "sign_in_stages",
  "sign_ups",
  "trusted_browsers",
]);

/** These have a value for each row, so that PostgreSQL would write the whole table anew. */
const volatileDefault = /default\s+[^,]*\b(gen_random_uuid|random|clock_timestamp|timeofday|nextval)\s*\(/;

/** What an older process that still runs would stumble over, and what holds a lock while it reads or writes a large table. */
export function migrationProblems(text: string): string[] {
  const statements = splitStatements(text).map(normal);
  const created = new Set(statements.map((one) => /^create table (?:if not exists )?(\w+)/.exec(one)?.[1]));
  const isLarge = (table: string) => !created.has(table) && !smallTables.has(table);
  const isApart = statements.some((one) => /^create (unique )?index concurrently/.test(one));
  return statements.flatMap((statement) =>
    [
      ...problemsOf(statement, isLarge),
      ...(isApart && !statement.includes(" if not exists ")
        ? [
            "stands beside an index that is built concurrently, outside a transaction, and cannot be repeated: say if not exists, or give it a file of its own",
          ]
        : []),
    ].map((problem) => `${statement.slice(0, 80)}: ${problem}`),
  );
}

function normal(statement: string): string {
  return statement
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

type Judge = (found: RegExpExecArray, isLarge: (table: string) => boolean) => string[];

/** What is known to be harmless, or harmless under a condition. Anything else is refused. */
const judges: readonly [pattern: RegExp, judge: Judge][] = [
  [/^create table /, () => []],
  [/^create (?:or replace )?function /, () => []],
  [/^create (?:unique )?index (concurrently )?(?:if not exists )?\w+ on (?:only )?(\w+)/, judgeIndex],
  [/^alter table (?:if exists )?(?:only )?(\w+) (.+)$/, judgeAlter],
  [/^(insert into|update|delete from) (\w+)(.*)$/, judgeRows],
];

function problemsOf(statement: string, isLarge: (table: string) => boolean): string[] {
  for (const [pattern, judge] of judges) {
    const found = pattern.exec(statement);
    if (found) return judge(found, isLarge);
  }
  return [
    "is not known to be harmless to older processes: drop, rename and truncate wait for a version that no longer needs what they take",
  ];
}

function judgeIndex([, concurrently, table = ""]: RegExpExecArray, isLarge: (table: string) => boolean): string[] {
  if (concurrently || !isLarge(table)) return [];
  return [`keeps writers of ${table} out until the index is built: create index concurrently if not exists`];
}

function judgeAlter([, table = "", actions = ""]: RegExpExecArray, isLarge: (table: string) => boolean): string[] {
  return topLevelParts(actions).flatMap((action) => judgeAction(action, isLarge(table)));
}

function judgeAction(action: string, onLarge: boolean): string[] {
  if (/^add constraint \w+ .* not valid$/.test(action) || /^alter column \w+ (set default|drop not null)/.test(action))
    return [];
  if (/^validate constraint /.test(action)) return [];
  // What a check refused, no older process writes.
  if (/^drop constraint \w+_check$/.test(action)) return [];
  if (!/^add column /.test(action))
    return [
      /^add (constraint|check|foreign|primary|unique)/.test(action)
        ? "reads the whole table while it locks it: add the constraint not valid, and validate it in a later migration"
        : "is not additive: an older process may still use what this changes",
    ];
  const problems: string[] = [];
  if (/ not null/.test(action) && !/ default /.test(action))
    problems.push("an older process inserts without this column: give it a default, or let it be null");
  if (!onLarge) return problems;
  if (volatileDefault.test(action) || / generated always as /.test(action))
    problems.push(
      "writes the whole table anew while it locks it: add the column without it, and fill it in batches (fills)",
    );
  if (/ (check \(|references |unique|primary key)/.test(action))
    problems.push("reads the whole table while it locks it: add the constraint by itself, not valid");
  return problems;
}

function judgeRows([, verb, table = "", rest = ""]: RegExpExecArray, isLarge: (table: string) => boolean): string[] {
  const read = Array.from(rest.matchAll(/\b(?:from|join|using) (\w+)/g), ([, name]) => name!);
  const large = [...(verb === "insert into" ? [] : [table]), ...read].filter(isLarge);
  if (large.length === 0) return [];
  return [`goes through ${large.join(", ")} in one step: fill in batches behind, by a row in fills`];
}

/** By the commas that are not within parentheses. */
function topLevelParts(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}
