type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** A browser speaks its own language about a field; here it says what we say. A field with a message of its own keeps it. */
export function ownValidity(root: Document): void {
  const told = new WeakSet<Field>();
  const forget = ({ target }: Event) => {
    if (!isField(target) || !told.delete(target)) return;
    target.setCustomValidity("");
  };
  root.addEventListener(
    "invalid",
    ({ target }) => {
      if (!isField(target) || (target.validity.customError && !told.has(target))) return;
      told.add(target);
      target.setCustomValidity("");
      target.setCustomValidity(messageFor(target));
    },
    true,
  );
  for (const type of ["input", "change"]) root.addEventListener(type, forget, true);
}

function isField(target: EventTarget | null): target is Field {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}

function messageFor({ validity, type }: Field): string {
  if (validity.valueMissing) return "Falta este dato. Escríbalo para seguir.";
  if (validity.typeMismatch && type === "email") return "Escriba un correo como nombre@dominio.co.";
  if (validity.typeMismatch) return "Escriba la dirección completa, como https://ejemplo.com.";
  return "Este dato no se puede leer. Escríbalo de nuevo.";
}
