import { theService } from "../../../access/accounts/record-audit.ts";
import { closeAccount } from "../../../privacy/business/close.ts";
import { requestErasure } from "../../../privacy/erase/request.ts";
import type { Results } from "../answers.ts";
import type { Confirmable } from "./confirmable.ts";

/** What the owner confirms about persons' data, with what is stored until then. */
export interface PersonalPayloads {
  "person.erase": { person: string; customers: number };
  "account.close": { name: string; days: number };
}

export const personalActions: { [A in keyof PersonalPayloads]: Confirmable<PersonalPayloads[A], Results[A]> } = {
  // Neither mail says who it is: it would be one more place that keeps her.
  "person.erase": {
    right: { all: ["customers:write", "exports"] },
    describe: ({ customers }) => ({ title: "borrar los datos de una persona", lines: erasureLines(customers) }),
    async perform({ client, accountId, now }, { person }) {
      const { id, customers } = await requestErasure(client, accountId, person, now);
      return { result: { erasure_id: id }, details: { erasure_id: id, customers } };
    },
    notice: ({ customers }) => ({
      title: "se pidió borrar los datos de una persona",
      lines: erasureLines(customers),
      ifNotYou:
        "Si no fue usted, lo borrado no vuelve: cambie su contraseña, cierre las demás sesiones y escriba a quien opera el servicio.",
    }),
  },
  "account.close": {
    right: "plan",
    describe: ({ name, days }) => ({ title: "cerrar su negocio", lines: closingLines(name, days) }),
    async perform({ client, accountId, now }, { days }) {
      const actor = theService;
      const goes = await closeAccount(client, accountId, { now, days, actor });
      return { result: { data_goes_at: goes.toISOString() }, details: { data_goes_at: goes.toISOString() } };
    },
    notice: ({ name, days }) => ({
      title: "se cerró su negocio",
      lines: closingLines(name, days),
      ifNotYou: `Si no fue usted, escriba antes de ${days} días a quien opera el servicio: puede volver a abrirlo, y usted cambia entonces su contraseña.`,
    }),
  },
};

function closingLines(name: string, days: number): string[] {
  return [
    `Negocio: ${name}`,
    "Sus cajas, claves y sesiones dejan de funcionar de inmediato.",
    `Sus datos se borran en ${days} días. Hasta entonces, quien opera el servicio puede volver a abrirlo.`,
  ];
}

function erasureLines(customers: number): string[] {
  return [
    `Clientes: ${customers}`,
    "Sus documentos fiscales se conservan, porque la ley lo pide. Lo demás no se puede recuperar.",
  ];
}
