/** Postgres URLs may name several servers, as libpq's do: postgres://usuario:clave@a:5432,b:5433/mostrador. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/** One address per server that the URL names, in its order. A URL that cannot be split is returned as it is. */
export function serverAddresses(url: string): string[] {
  const [, before = "", servers = "", after = ""] = parts.exec(url) ?? [];
  if (!servers.includes(",")) return [url];
  return servers.split(",").map((server) => `${before}${server}${after}`);
}

/** The servers without the credentials, for messages. */
export function serverNames(url: string): string {
  return serverAddresses(url)
    .map((address) => new URL(address).host)
    .join(", ");
}
