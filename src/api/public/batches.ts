import type { FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import type { RecordBody, Resource } from "../../engine/resources/resource.ts";
import type { BatchOperation, Operation } from "../../engine/writing/operations.ts";
import type { Write } from "../../engine/writing/write.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { Type } from "../../lib/schema.ts";
import { errorBody } from "../http/error-handler.ts";
import { fieldErrors, validatorCompiler } from "../http/validation.ts";
import { postOnce } from "./idempotency.ts";
import type { ReadingDeps } from "./reading.ts";

export const maxBatchItems = 100;

const ItemError = Type.Object(
  {
    code: Type.String({ description: "El código, como en la respuesta de una sola creación." }),
    message: Type.String({ description: "Qué pasó y qué hacer." }),
    param: Type.Optional(Type.String({ description: "El campo, dentro del elemento." })),
  },
  { additionalProperties: true, description: "Por qué no se creó; falta si se creó." },
);

/** What the reference shows of a batch: each item as its own POST takes it, and each result with its record or its error. */
export function batchSchemas({ name, schema }: Resource, { body }: Operation) {
  const one = { ...body, $id: `new_${name}` };
  const [sent] = exampleOf(body);
  const [record] = exampleOf(schema);
  const refused = { code: "VALIDATION_ERROR", message: "Falta `name`, que es obligatorio.", param: "name" };
  const items = Type.Array(one, { minItems: 1, maxItems: maxBatchItems, description: "Lo que se crea, en orden." });
  const result = Type.Object({
    status: Type.Integer({ description: "201 si se creó; si no, el de su error." }),
    record: Type.Optional(schema),
    error: Type.Optional(ItemError),
  });
  return {
    body: Type.Object(
      { items },
      { $id: `new_${name}_batch`, additionalProperties: false, examples: [{ items: [sent] }] },
    ),
    response: Type.Object(
      { results: Type.Array(result, { description: "Un resultado por elemento, en el mismo orden." }) },
      {
        $id: `${name}_batch`,
        examples: [
          {
            results: [
              { status: 201, record },
              { status: 400, error: refused },
            ],
          },
        ],
      },
    ),
  };
}

const exampleOf = (schema: TSchema) => (schema as { examples?: object[] }).examples ?? [];

/** Items are judged one by one: a mistake in one is that one's result. */
export const BatchBody = Type.Object(
  { items: Type.Array(Type.Unsafe({}), { minItems: 1, maxItems: maxBatchItems }) },
  { additionalProperties: false },
);

/** POST of many: one write and one Idempotency-Key. What is refused is left out, and the answer says why. */
export function createBatch(
  deps: ReadingDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { body, batch }: Operation & { batch: BatchOperation },
): Promise<FastifyReply> {
  const validate = validatorCompiler({ schema: body, httpPart: "body", method: "POST", url: "" }) as ((
    item: unknown,
  ) => boolean) & { errors?: Parameters<typeof fieldErrors>[0] | null };
  const { items } = request.body as { items: unknown[] };
  return postOnce(deps, request, reply, async (write) => {
    // Before the work, because it changes them: a write that is tried again finds them as they came.
    const read = structuredClone(items).map((item) => ({
      item,
      refusal: validate(item) ? undefined : validationError(fieldErrors(validate.errors ?? [], "items")),
    }));
    const run = await batch(
      write,
      read.flatMap(({ item, refusal }) => (refusal ? [] : [item as never])),
    );
    const results: string[] = [];
    for (const { item, refusal } of read) results.push(await resultOf(refusal, write, () => run(item as never)));
    return { status: 200, headers: {}, body: `{"results":[${results.join(",")}]}` };
  });

  async function resultOf(
    refusal: ApiError | undefined,
    write: Write,
    run: () => Promise<RecordBody> | RecordBody,
  ): Promise<string> {
    try {
      if (refusal) throw refusal;
      return `{"status":201,"record":${write.published(await run())}}`;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const { error: shown } = errorBody(error, request.id, deps.config.publicUrl);
      return JSON.stringify({ status: error.status, error: shown });
    }
  }
}
