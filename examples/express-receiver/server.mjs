import { Mostrador, receiveWebhook } from "@mostrador/sdk";
import express from "express";
import { openJournal } from "./journal.mjs";

const {
  MOSTRADOR_URL = "http://127.0.0.1:3000",
  MOSTRADOR_API_KEY,
  MOSTRADOR_WEBHOOK_SECRET,
  PORT = "4242",
  JOURNAL = "eventos.jsonl",
} = process.env;
const day = 24 * 60 * 60 * 1000;

const mostrador = new Mostrador({ apiKey: MOSTRADOR_API_KEY, baseUrl: MOSTRADOR_URL });
const journal = openJournal(JOURNAL);

/** Live or found a day later, an event is dealt with here, once. */
function handle(event, source) {
  if (journal.has(event.id)) return;
  if (event.type === "sale.completed") console.log(`Venta de $${event.data.object.total}`);
  journal.add({ id: event.id, type: event.type, source });
}

const app = express();

// The bytes as they came: a parsed and rewritten body has another signature.
app.post("/webhooks", express.raw({ type: "application/json", limit: "1mb" }), async (request, response) => {
  let event;
  try {
    event = await receiveWebhook(request.body, request.get("service-signature"), MOSTRADOR_WEBHOOK_SECRET);
  } catch {
    response.sendStatus(400);
    return;
  }
  handle(event, "webhook");
  response.sendStatus(204);
});

/** Whatever was lost on the way is in the log for 30 days: the last day's, with an hour to spare. */
async function reconcile() {
  const since = new Date(Date.now() - day - 60 * 60 * 1000);
  for await (const event of mostrador.events.list({ createdSince: since })) handle(event, "conciliación");
  console.log("Conciliado");
}

app.listen(Number(PORT), "127.0.0.1", () => console.log(`Esperando webhooks en http://127.0.0.1:${PORT}/webhooks`));

const reconcileNow = () => reconcile().catch((error) => console.error(`No se pudo conciliar: ${error.message}`));
await reconcileNow();
setInterval(reconcileNow, day);
