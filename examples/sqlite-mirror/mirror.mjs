import { DatabaseSync } from "node:sqlite";
import { Mostrador } from "@mostrador/sdk";

const { MOSTRADOR_URL = "http://127.0.0.1:3000", MOSTRADOR_API_KEY, DATABASE = "ventas.db" } = process.env;
const perTransaction = 50;

const mostrador = new Mostrador({ apiKey: MOSTRADOR_API_KEY, baseUrl: MOSTRADOR_URL });
const db = new DatabaseSync(DATABASE);
db.exec(`
  pragma journal_mode = wal;
  create table if not exists sales (id text primary key, status text, total integer, updated_at text, body text) strict;
  create table if not exists place (only_row integer primary key check (only_row = 1), updated_since text) strict;`);
const readPlace = db.prepare("select updated_since from place");
const savePlace = db.prepare("insert or replace into place (only_row, updated_since) values (1, ?)");
// The later version stays, whichever came last: a repeated walk cannot take anything back.
const saveSale = db.prepare(`
  insert into sales (id, status, total, updated_at, body) values (?, ?, ?, ?, ?)
  on conflict (id) do update set status = excluded.status, total = excluded.total,
    updated_at = excluded.updated_at, body = excluded.body
  where excluded.updated_at >= sales.updated_at`);

function inTransaction(work) {
  db.exec("begin immediate");
  try {
    work();
    db.exec("commit");
  } catch (error) {
    db.exec("rollback");
    throw error;
  }
}

let waiting = [];
let saved = 0;
function saveWaiting() {
  inTransaction(() => {
    for (const sale of waiting) saveSale.run(sale.id, sale.status, sale.total, sale.updated_at, JSON.stringify(sale));
  });
  saved += waiting.length;
  if (waiting.length > 0) console.log(`${saved} ventas`);
  waiting = [];
}

const changes = mostrador.sales.sync({ updatedSince: readPlace.get()?.updated_since, pageSize: perTransaction });
for await (const sale of changes) {
  if (waiting.push(sale) === perTransaction) saveWaiting();
}
saveWaiting();
// Only now, with every sale of the walk on the disk: killed before this line, the next run repeats the walk.
inTransaction(() => savePlace.run(changes.updatedSince));
console.log(`Al día hasta ${changes.updatedSince}`);
