/** What is frozen for 72 hours when somebody says that an act was not hers; null where there is nothing of the kind to repeat. */
export type FrozenRoom = "factors" | "keys" | "people";

interface ToldWords {
  /** Whose it is: what is of the person alone she takes back wherever she belongs. */
  of: "person" | "business";
  room: FrozenRoom | null;
  undone: string;
}

/** Everything of the doors that is told: the one table. `undone` completes "Con el botón, …". */
const table = {
  new_browser: { of: "person", room: null, undone: "se cierran sus sesiones" },
  failures: { of: "person", room: null, undone: "se cierran sus sesiones" },
  factor_added: {
    of: "person",
    room: "factors",
    undone:
      "se quita lo que se agregó, dejan de servir los códigos de recuperación hechos desde entonces, y durante 72 horas no se quita nada más",
  },
  factor_removed: {
    of: "person",
    room: "factors",
    undone: "vuelve lo que se quitó con los códigos de recuperación de antes, y durante 72 horas no se quita nada más",
  },
  second_step_reset: {
    of: "person",
    room: "factors",
    undone: "vuelve lo que se quitó con los códigos de recuperación de antes, y durante 72 horas no se quita nada más",
  },
  recovery_codes_made: {
    of: "person",
    room: "factors",
    undone:
      "los códigos nuevos dejan de servir, vuelven los de antes, y durante 72 horas no se quita ningún segundo paso",
  },
  person_invited: { of: "business", room: "people", undone: "se retira la invitación, y sale quien ya la aceptó" },
  person_removed: { of: "business", room: "people", undone: "la persona vuelve con el rol que tenía" },
  role_raised: { of: "business", room: "people", undone: "vuelve el rol que la persona tenía, con sus sedes" },
  role_widened: { of: "business", room: "people", undone: "el rol vuelve a permitir lo que permitía" },
  key_made: { of: "business", room: "keys", undone: "se revoca la clave" },
} as const satisfies Record<string, ToldWords>;

export type ToldKind = keyof typeof table;
export const toldKinds: Readonly<Record<ToldKind, ToldWords>> = table;

/** What an act was about, as far as undoing it needs to know. */
export interface About {
  factor_id?: string;
  api_key_id?: string;
  invitation_id?: string;
  email?: string;
  member_id?: string;
  role?: string;
  role_id?: string | null;
  /** Of a business's own role: it may be deleted before it is given back. */
  role_name?: string;
  role_rights?: readonly string[];
  location_ids?: readonly string[] | null;
}

export function isToldKind(kind: string): kind is ToldKind {
  return kind in table;
}
