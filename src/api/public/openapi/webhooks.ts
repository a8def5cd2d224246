import { type EventDeclaration, type EventType, events, eventTypes } from "../../../engine/events/event-types.ts";
import { EndpointRecord } from "../../../webhooks/endpoints/endpoint-record.ts";
import { apiVersion, testType } from "../../../webhooks/sending/delivery-body.ts";
import { headerNames, userAgentName } from "../../../webhooks/sending/delivery-headers.ts";
import { type PublishedSchema, refTo, type SchemaPublisher } from "./schemas.ts";
import { testEventText } from "./text.ts";

const eventId = "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c23";
const at = "2026-09-28T19:05:09.120Z";

const uuid = { type: "string", format: "uuid" };
const instant = { type: "string", format: "date-time" };

const delivery = {
  type: "object",
  required: ["id", "type", "created_at", "api_version", "data"],
  properties: {
    id: { ...uuid, description: "Identificador del evento, igual en cada reintento: úselo para descartar repetidos." },
    type: { type: "string", description: "Tipo del evento." },
    created_at: { ...instant, description: "Cuándo ocurrió." },
    sequence: {
      type: "integer",
      minimum: 1,
      description:
        "Lugar del evento entre los de la cuenta: mayor en cada evento, con saltos. Las pruebas no lo llevan.",
    },
    api_version: { type: "string", description: `Versión del formato; hoy, \`${apiVersion}\`.` },
    data: {
      type: "object",
      description: "Contiene `object`, el recurso del evento.",
      required: ["object"],
      properties: {
        object: {
          type: "object",
          additionalProperties: true,
          description: "El recurso, exactamente como lo entrega la API en ese momento.",
        },
      },
    },
  },
};

const testObject = {
  type: "object",
  required: ["object", "id", "message", "created_at"],
  properties: {
    object: { type: "string", const: "test", description: "Siempre `test`." },
    id: { ...uuid, description: "Identificador de la prueba." },
    message: { type: "string", description: "Texto fijo que dice que es una prueba." },
    created_at: { ...instant, description: "Cuándo se pidió." },
  },
  examples: [{ object: "test", id: eventId, message: "Este es un evento de prueba de Mostrador.", created_at: at }],
};

const header = (name: string, description: string, schema: object, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema,
  example,
});

/** Headers of every delivery, as components. The header with the event's type is defined per operation. */
export const deliveryHeaders = Object.fromEntries(
  [
    header(
      headerNames.signature,
      "`t=<segundos Unix>,v1=<firma>`; con dos `v1` durante las 24 horas de una rotación del secreto.",
      { type: "string", pattern: "^t=\\d+(,v1=[0-9a-f]{64})+$" },
      "t=1790622309,v1=3f1c9a5be2d07846a1c4f0b7d9e8325c6a1b0f9e8d7c6b5a493827160f5e4d3c",
    ),
    header(headerNames.eventId, "Identificador del evento.", uuid, eventId),
    header(
      headerNames.deliveryId,
      "Identificador de la entrega a esta dirección, igual en cada reintento; búsquelo en el historial del portal.",
      uuid,
      "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c26",
    ),
    header(
      headerNames.userAgent,
      `\`${userAgentName}\`, seguido de la dirección del sitio de desarrolladores.`,
      { type: "string", pattern: `^${userAgentName.replace(".", "\\.")}` },
      userAgentName,
    ),
  ].map((one) => [one.name, one]),
);

type Described = Pick<EventDeclaration, "object" | "spanish" | "example">;

const objectOf = (type: EventType) => events[type].object;

/** The webhook operations and their components. The resources must be published first. */
export function webhooks({ components, publish }: SchemaPublisher): Record<string, object> {
  publish(EndpointRecord);
  components.webhook_delivery = delivery;
  components.test = testObject;
  const exampleOf = (name: string) => (components[name]!.examples as object[])[0]!;
  publishEvents(components, { ...exampleOf("event"), data: { object: exampleOf("customer") } });

  const describe = (type: string, { object: name, spanish, example: own }: Described): [string, object] => {
    const object = { ...exampleOf(name), ...own };
    const sequence = type === testType ? {} : { sequence: 1042 };
    const example = { id: eventId, type, created_at: at, ...sequence, api_version: apiVersion, data: { object } };
    return [type, { post: operation(type, spanish, refTo(name), example) }];
  };
  return Object.fromEntries([
    ...eventTypes.map((type) => describe(type, events[type])),
    describe(testType, { object: "test", spanish: testEventText }),
  ]);
}

/** One event schema per kind of record, with `type` as the discriminator. */
function publishEvents(components: SchemaPublisher["components"], example: object): void {
  const { examples: _, ...event } = components.event!;
  const { type, data, ...common } = event.properties as Record<string, PublishedSchema>;
  const kinds = Map.groupBy(eventTypes, objectOf);
  for (const [name, types] of kinds) {
    const { description } = (data!.properties as { object: PublishedSchema }).object;
    const object = { ...refTo(name), description };
    components[eventOf(name)] = {
      ...event,
      properties: {
        ...common,
        type: { type: "string", enum: types, description: type!.description },
        data: { ...data, properties: { object } },
      },
    };
  }
  const mapping = eventTypes.map((one) => [one, refTo(eventOf(objectOf(one))).$ref]);
  components.event = {
    oneOf: Array.from(kinds.keys(), (name) => refTo(eventOf(name))),
    discriminator: { propertyName: "type", mapping: Object.fromEntries(mapping) },
    examples: [example],
  };
}

const eventOf = (record: string) => `${record}_event`;

function operation(type: string, text: string, object: PublishedSchema, example: object): object {
  const narrowed = {
    properties: { type: { const: type }, data: { type: "object", properties: { object } } },
  };
  const ownHeader = header(headerNames.eventType, "Tipo del evento.", { type: "string", const: type }, type);
  return {
    operationId: `on${type.replace(/(^|[._])(\w)/g, (_match, _dot, letter: string) => letter.toUpperCase())}`,
    tags: ["Webhooks"],
    summary: type,
    description: text,
    security: [],
    parameters: [
      ...Object.keys(deliveryHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      ownHeader,
    ],
    requestBody: {
      required: true,
      content: { "application/json": { schema: { allOf: [refTo("webhook_delivery"), narrowed] }, example } },
    },
    responses: {
      "2XX": { description: "Recibido. El cuerpo de su respuesta no se guarda." },
      default: { description: "Cualquier otra respuesta, también una 3xx, cuenta como fallo y se reintenta." },
    },
  };
}
