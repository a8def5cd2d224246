/** The version of the event format; every body carries it. */
export const apiVersion = "2026-09-28";

/**
 * The body of an event's deliveries, made from the event's stored text: the same bytes on every attempt to every
 * endpoint. `"data"` is the last key of the stored event, and nothing before it is free text.
 */
export function deliveryBody(eventText: string): string {
  const start = eventText.indexOf('"id":');
  const data = eventText.indexOf('"data":');
  if (start < 0 || data < 0) throw new Error("The stored event has no id or no data");
  return `{${eventText.slice(start, data)}"api_version":"${apiVersion}",${eventText.slice(data)}`;
}

/** A test event carries no real data. */
export function testBody(eventId: string, at: Date): string {
  const created_at = at.toISOString();
  const object = {
    object: "test",
    id: eventId,
    message: "Este es un evento de prueba enviado desde el portal. No corresponde a ningún dato real.",
    created_at,
  };
  return JSON.stringify({ id: eventId, type: testType, created_at, api_version: apiVersion, data: { object } });
}

export const testType = "webhook.test";
