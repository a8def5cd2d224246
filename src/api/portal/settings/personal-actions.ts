import { requestErasure } from "../../../privacy/erase/request.ts";
import type { Results } from "../answers.ts";
import type { Confirmable } from "./confirmable.ts";

/** What the owner confirms about persons' data, with what is stored until then. */
export interface PersonalPayloads {
  "person.erase": { person: string; customers: number };
}

export const personalActions: { [A in keyof PersonalPayloads]: Confirmable<PersonalPayloads[A], Results[A]> } = {
  // Neither mail says who it is: it would be one more place that keeps her.
  "person.erase": {
    describe: ({ customers }) => ({ title: "borrar los datos de una persona", lines: erasureLines(customers) }),
    async perform({ client, accountId, now }, { person }) {
      const { id, customers } = await requestErasure(client, accountId, person, now);
      return { result: { erasure_id: id }, details: { erasure_id: id, customers } };
    },
    notice: ({ customers }) => ({ title: "se pidió borrar los datos de una persona", lines: erasureLines(customers) }),
  },
};

function erasureLines(customers: number): string[] {
  return [
    `Clientes: ${customers}`,
    "Sus documentos fiscales se conservan, porque la ley lo pide. Lo demás no se puede recuperar.",
  ];
}
