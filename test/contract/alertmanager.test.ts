import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { rulesFile } from "../support/alerts.ts";
import { eventually } from "../support/eventually.ts";
import { sharedFolder } from "../support/fixtures.ts";
import { freePort, projectDir } from "../support/process.ts";

const file = join(projectDir, "ops/prometheus/alertmanager.yml");
const example = readFileSync(file, "utf8");
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const missing = "amtool or Alertmanager is missing (Debian: apt-get install prometheus-alertmanager)";
const canRun = has("amtool") && has("prometheus-alertmanager");

const folder = sharedFolder("mostrador-alertmanager-");
const ended: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ended) await end();
});

test("the example is one that Alertmanager accepts", (context) => {
  if (!canRun) return context.skip(missing);
  const { status, stdout, stderr } = spawnSync("amtool", ["check-config", file], { encoding: "utf8" });
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining("SUCCESS")]);
});

test("every alert that the example names exists", () => {
  const rules = readFileSync(rulesFile, "utf8");
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  const named = [...example.matchAll(/Mostrador[\w.+]+/g)].map(([name]) => new RegExp(`^${name}$`));
  expect(named.filter((name) => !alerts.some((alert) => name.test(alert)))).toEqual([]);
});

interface Notification {
  groupLabels: Record<string, string>;
  alerts: { labels: Record<string, string> }[];
}

interface Told {
  path: string;
  installation: string;
  alerts: string[];
}

/** A real Alertmanager with the example, which does not wait for half a minute; and whom it told what. */
async function startAlertmanager(): Promise<{ url: string; told: Told[] }> {
  const told: Told[] = [];
  const receiver = createServer((request, response) => {
    void json(request).then((body) => {
      const { groupLabels, alerts } = body as Notification;
      const names = alerts.map(({ labels }) => labels.alertname!);
      told.push({ path: request.url!, installation: groupLabels.installation!, alerts: names });
      response.end();
    });
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const config = join(folder.path, "alertmanager.yml");
  const own = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  writeFileSync(config, example.replaceAll("127.0.0.1:9099", own).replace("group_wait: 30s", "group_wait: 2s"));
  const address = `127.0.0.1:${await freePort()}`;
  const options = [`--config.file=${config}`, `--storage.path=${folder.path}/data`, `--web.listen-address=${address}`];
  const child = spawn("prometheus-alertmanager", [...options, "--cluster.listen-address="], { stdio: "ignore" });
  ended.push(async () => {
    receiver.close();
    receiver.closeAllConnections();
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  });
  const url = `http://${address}`;
  await eventually(() =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { url, told };
}

const severities = new Map(
  [...readFileSync(rulesFile, "utf8").matchAll(/- alert: (\w+)[\s\S]*?severity: (\w+)/g)].map(([, name, severity]) => [
    name!,
    severity!,
  ]),
);

function alert(alertname: string, installation: string, instance?: string) {
  return { labels: { alertname, installation, severity: severities.get(alertname)!, ...(instance && { instance }) } };
}

test("one outage is one message, and does not silence another installation", async (context) => {
  if (!canRun) return context.skip(missing);
  const { url, told } = await startAlertmanager();
  const processes = ["10.0.0.11:3001", "10.0.0.12:3001"];
  const alerts = [
    // The database of Cali is gone, and everything that follows from it.
    ...["MostradorBaseAusente", "MostradorErrores", "MostradorEntregasAtrasadas", "MostradorEntregasDetenidas"].map(
      (name) => alert(name, "cali"),
    ),
    ...["MostradorCorreoAtrasado", "MostradorDocumentosAtrasados"].map((name) => alert(name, "cali")),
    ...processes.flatMap((instance) =>
      ["MostradorNoListo", "MostradorSinAvisosDeCambios"].map((name) => alert(name, "cali", instance)),
    ),
    // One process of Pasto has a wrong clock.
    ...["MostradorRelojDetieneEscrituras", "MostradorRelojDesviado", "MostradorNoListo"].map((name) =>
      alert(name, "pasto", "10.0.2.11:3001"),
    ),
    // Tunja has a process less, and something else that can wait.
    alert("MostradorSinRespuesta", "tunja", "10.0.3.11:3001"),
    alert("MostradorDianRechaza", "tunja"),
  ];
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/api/v2/alerts`, { method: "POST", headers, body: JSON.stringify(alerts) });
  expect(answer.status).toBe(200);
  await eventually(() => told.length >= 4);
  expect(told.toSorted((a, b) => (a.installation + a.path).localeCompare(b.installation + b.path))).toEqual([
    { path: "/guardia", installation: "cali", alerts: ["MostradorBaseAusente"] },
    { path: "/guardia", installation: "pasto", alerts: ["MostradorRelojDetieneEscrituras"] },
    { path: "/guardia", installation: "tunja", alerts: ["MostradorSinRespuesta"] },
    { path: "/manana", installation: "tunja", alerts: ["MostradorDianRechaza"] },
  ]);
});
