/**
 * What the service promises to those who use it, and the tests that hold it: the file, and words of the test's sentence. `npm run generate`
 * writes them into docs/what-holds-what.md; a test fails when a sentence is gone or says something else.
 */
export interface Promised {
  promise: string;
  heldBy: readonly [file: string, words: string][];
}

export const promises: Record<string, readonly Promised[]> = {
  "Nothing is lost or doubled": [
    {
      promise:
        "What was acknowledged is stored, announced and delivered once, whenever the service or PostgreSQL is killed",
      heldBy: [
        ["test/faults/cycles.test.ts", "times kill -9 under load"],
        ["test/faults/database-restart.test.ts", "PostgreSQL killed with -9 under load"],
        ["test/scenarios/kill-mid-write.test.ts", "a service killed mid-write"],
      ],
    },
    {
      promise: "A standby takes over without losing anything that was acknowledged",
      heldBy: [["test/failover/pair.test.ts", "a standby takes over under load"]],
    },
    {
      promise: "A POST that is sent again with its key is done once, and answers with the same bytes for 24 hours",
      heldBy: [
        ["test/api/idempotency.test.ts", "50 identical requests"],
        ["test/api/idempotency.test.ts", "a replay returns the same bytes"],
        ["test/api/idempotency.test.ts", "a key lives for 24 hours"],
        ["test/faults/cut-connections.test.ts", "while connections are cut around COMMIT"],
      ],
    },
    {
      promise: "A register's upload is stored once, however often and in whatever order it arrives",
      heldBy: [
        ["test/sync/push-numbers.test.ts", "a repeated push is a duplicate"],
        ["test/sync/convergence.property.test.ts", "registers and the API converge"],
        ["test/scenarios/simulate.test.ts", "registers sell to a server"],
      ],
    },
    {
      promise:
        "What a register cannot have stored is kept, told to the owner, and never keeps its other records waiting",
      heldBy: [
        ["test/sync/push-quarantine.test.ts", "malformed records in a batch"],
        ["test/sync/set-aside.test.ts", "one sale that goes on failing"],
        ["test/faults/push-faults.test.ts", "a fault of ours from any statement"],
      ],
    },
    {
      promise: "What Caja showed as charged is on the server once, though the browser is killed",
      heldBy: [
        ["test/caja/kill.test.ts", "kills of the browser"],
        ["test/caja/lost-store.test.ts", "sales whose store the browser took away"],
      ],
    },
    {
      promise: "A backup that is restored verifies, and no fiscal number is used twice",
      heldBy: [
        ["test/scenarios/restore.test.ts", "a copy of a stopped DATA_DIR"],
        ["test/scenarios/dump-restore.test.ts", "a dump is restored by the guide's own commands"],
        ["test/failover/point-in-time.test.ts", "a server is restored to a point in time"],
      ],
    },
    {
      promise: "An upgrade loses nothing and interrupts nobody",
      heldBy: [
        ["test/faults/rolling-upgrade.test.ts", "a database that the former version filled"],
        ["test/faults/rolling-restart.test.ts", "two API processes and two workers"],
      ],
    },
  ],
  "Reading and following": [
    {
      promise: "A reader by cursor, by `updated_since` or along the event log misses nothing and sees nothing twice",
      heldBy: [
        ["test/contract/pagination.properties.test.ts", "readers during writes miss nothing"],
        ["test/api/updated-since.test.ts", "are each read completely"],
        ["test/sync/pull.test.ts", "any cursor plus the feed equals the snapshot"],
      ],
    },
    {
      promise: "An event shows the record as it was, commits with the change, and stays readable for 30 days",
      heldBy: [
        ["test/api/events.test.ts", "an event carries the object as it was"],
        ["test/api/events.test.ts", "a change whose event cannot be recorded"],
        ["test/api/events.test.ts", "an event is readable for 30 days"],
      ],
    },
    {
      promise: "An export has every record that stood when it began",
      heldBy: [["test/api/exports.test.ts", "during writes, each record"]],
    },
    {
      promise: "Two that edit the same record keep both edits, or are told",
      heldBy: [
        ["test/sync/merge.test.ts", "changes of two registers to different fields"],
        ["test/api/concurrent-writes.test.ts", "of two edits of the same version"],
      ],
    },
  ],
  Webhooks: [
    {
      promise: "Eight attempts on schedule, with the same bytes and id; then the delivery has failed",
      heldBy: [["test/webhooks/schedule.test.ts", "each of the eight attempts"]],
    },
    {
      promise: "20 failures over more than 24 hours deactivate an endpoint, and its owner gets a mail",
      heldBy: [["test/webhooks/deactivation.test.ts", "an endpoint: with 20 failures over 24 h"]],
    },
    {
      promise: "Every delivery is signed; after a rotation with both secrets for 24 hours",
      heldBy: [
        ["test/webhooks/delivery.test.ts", "an event reaches a subscribed endpoint"],
        ["test/webhooks/schedule.test.ts", "after a rotation"],
      ],
    },
    {
      promise: "No delivery goes inward, whatever a name resolves to and however the address is written",
      heldBy: [["test/webhooks/inward.test.ts", "no URL that leads inward"]],
    },
    {
      promise: "A slow endpoint delays no other; the versions of one record arrive in order",
      heldBy: [
        ["test/webhooks/endpoint-queues.test.ts", "four endpoints that hang"],
        ["test/webhooks/order-of-versions.test.ts", "deliveries of one record follow each other"],
      ],
    },
  ],
  "Who may": [
    {
      promise: "An assistant changes nothing that was not shown first, and does it once",
      heldBy: [
        ["test/mcp/writing.test.ts", "is shown first and changed when it is confirmed"],
        ["test/mcp/writing.test.ts", "moves once, however often it is confirmed"],
      ],
    },
    {
      promise: "A key does what its permissions say, in its own account, until it is revoked or expires",
      heldBy: [
        ["test/contract/permissions.test.ts", "a key with only its permission is enough"],
        ["test/api/access.test.ts", "on the very next request: a revoked key"],
      ],
    },
    {
      promise: "Nobody sees another account's records",
      heldBy: [
        ["test/contract/permissions.test.ts", "a record of another account gets NOT_FOUND"],
        ["test/sync/devices.test.ts", "a token of one account never shows"],
      ],
    },
    {
      promise: "Guessing is limited by address, and locks out nobody who has the right key or password",
      heldBy: [
        ["test/api/rate-limit.test.ts", "thirty failed authentications"],
        ["test/portal/sign-in-limits.test.ts", "strangers lock out their own address"],
      ],
    },
    {
      promise: "What is dangerous needs a code from the owner's mail, and is in the audit log",
      heldBy: [
        ["test/portal/safety.test.ts", "a code is valid for its own change"],
        ["test/portal/audit-log.test.ts", "is recorded in the audit log"],
      ],
    },
    {
      promise: "Whatever is sent, the answer is one that the contract names, and none is a 500",
      heldBy: [
        ["test/fuzz/public.test.ts", "no request to the public API"],
        ["test/fuzz/sync.test.ts", "no request of a register"],
        ["test/fuzz/portal.test.ts", "no request to the portal's API"],
      ],
    },
  ],
  "Money and documents": [
    {
      promise: "Sums and taxes are those of the worked examples, on the server, at the counter and in the browser",
      heldBy: [
        ["src/taxes/tax.test.ts", "worked examples, every base and amount"],
        ["test/caja/sums.test.ts", "Chromium computes the worked examples"],
      ],
    },
    {
      promise: "One word has one number on every page, paper, mail and API",
      heldBy: [["test/portal/one-number.property.test.ts", "one word is one number"]],
    },
    {
      promise: "A document has one number and one verdict, whenever the service dies",
      heldBy: [["test/faults/fiscal-kill.test.ts", "killed while it sends"]],
    },
    {
      promise: "What comes back is never more than was sold, and money and stock follow",
      heldBy: [
        ["test/fiscal/corrections.property.test.ts", "at most one document of a sale is valid"],
        ["test/portal/returns.test.ts", "never more than was sold"],
      ],
    },
  ],
  "For whoever uses or runs it": [
    {
      promise: "Two commands on a fresh clone; the quick start works word for word",
      heldBy: [
        ["test/scenarios/start.test.ts", "the first start creates the demo business"],
        ["test/scenarios/quick-start.test.ts", "the quick start, word for word"],
      ],
    },
    {
      promise: "Every page fits every width and can be used by keyboard and by a screen reader",
      heldBy: [
        ["test/portal/every-page.test.ts", "every page at every width"],
        ["test/portal/keyboard.test.ts", "editing a product"],
        ["test/portal/pages.test.ts", "axe finds no serious fault"],
      ],
    },
    {
      promise:
        "Under too much load pushes are refused last; while the database is away errors are clean and say when to retry",
      heldBy: [
        ["test/faults/overload.test.ts", "under load exports are refused first"],
        ["test/faults/switchover.test.ts", "a read-only database counts as away"],
      ],
    },
    {
      promise: "A wrong clock writes, sends and deletes nothing",
      heldBy: [["test/faults/wrong-clock.test.ts", "deletes nothing, writes nothing and sends nothing"]],
    },
    {
      promise: "The clients of every language do the same, against a service that fails in every way",
      heldBy: [
        ["test/sdk/conformance.test.ts", "what every client of ours must do"],
        ["test/sdk/stranger.test.ts", "a stranger without a clone"],
        ["test/examples/receivers.test.ts", "a receiver takes what is signed"],
      ],
    },
    {
      promise: "The log is JSON lines without a key, a password or personal data",
      heldBy: [
        ["test/scenarios/log-lines.test.ts", "a service that is used"],
        ["test/scenarios/observability.test.ts", "the log: holds no key"],
      ],
    },
  ],
};
