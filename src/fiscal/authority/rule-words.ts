/** A rule of the authority that a document broke, in an owner's words. */
export interface ExplainedRule {
  /** The authority's code, such as FAD06; null when it only said a sentence. */
  code: string | null;
  /** What the authority said. */
  said: string;
  /** A notice lets the document pass; a rejection does not. */
  is_notice: boolean;
  means: string;
  next: string;
}

interface Words {
  means: string;
  next: string;
}

/** Every rule of a message such as `Regla: FAD06, Rechazo: … | Regla: FAJ43b, Notificación: …`. */
export function explainRules(message: string | null): ExplainedRule[] {
  if (message === null) return [];
  return message
    .split(" | ")
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const [, code, kind, said] =
        /^\s*Regla:\s*([A-Za-z0-9]+)\s*,\s*(Rechazo|Notificaci[oó]n)\s*:\s*(.*)$/s.exec(part) ?? [];
      if (code === undefined) return { code: null, said: part.trim(), is_notice: false, ...wordsOfSentence(part) };
      return { code, said: said!.trim(), is_notice: kind !== "Rechazo", ...wordsOf(code) };
    });
}

const totals = "Corrija la venta en la caja si puede, y reenvíe. Si la caja la guardó así, anúlela y véndala de nuevo.";
const numbering = "Revise el rango en Ajustes, Facturación, contra la resolución de la DIAN, y reenvíe.";
const seal =
  "Revise el PIN del software y la clave técnica en Ajustes, Facturación, y reenvíe: el documento se sella de nuevo.";
const buyer = "Corrija los datos del cliente en Clientes y reenvíe.";
const issuer = "Compare los datos del negocio en Ajustes, Facturación, con su RUT y reenvíe.";
const provider = "Reenvíe. Si vuelve a pasar, avise a quien le presta el servicio de facturación y dele este código.";

/** FAD09e is found as FAD09, unless its small letter has words of its own. */
const rules: Record<string, Words> = {
  FAD06: { means: "El código único (CUFE o CUDE) no es el que la DIAN calcula para este documento.", next: seal },
  FAD09: { means: "La fecha del documento no es la del día en que se firmó.", next: "Reenvíe: toma la fecha de hoy." },
  FAB05: {
    means: "El número de la resolución falta, o no es uno que la DIAN tenga para este negocio.",
    next: numbering,
  },
  FAB05C: {
    means: "El rango de numeración no está asociado al software con que se envía el documento.",
    next: "En el portal de la DIAN asocie el rango al software, y reenvíe.",
  },
  FAB07: {
    means: "El documento es anterior al primer día de la resolución, o ese día no es el que tiene la DIAN.",
    next: numbering,
  },
  FAB08: {
    means: "El documento es posterior al último día de la resolución, o ese día no es el que tiene la DIAN.",
    next: numbering,
  },
  FAB10: { means: "El prefijo no es el de la resolución, o no es el de este punto de venta.", next: numbering },
  FAB11: { means: "El primer número del rango falta, o no es el primero que autoriza la resolución.", next: numbering },
  FAB12: { means: "El último número del rango falta, o no es el último que autoriza la resolución.", next: numbering },
  FAU02: { means: "La suma de las líneas no es el valor bruto del documento.", next: totals },
  FAU04: { means: "La suma de las bases de los impuestos no es la base gravable del documento.", next: totals },
  FAU06: { means: "El valor con impuestos no es el valor bruto más los impuestos.", next: totals },
  FAU14: {
    means: "El total a pagar no es la suma de las líneas más impuestos, menos descuentos, más cargos.",
    next: totals,
  },
  FAV06: { means: "El precio por la cantidad de una línea no da el valor de la línea.", next: totals },
  FAX07: { means: "El impuesto de una línea no es su base por la tarifa.", next: totals },
  FAS07: { means: "El impuesto del documento no es su base por la tarifa.", next: totals },
  FAJ43: { means: "El nombre del negocio falta, o no es el que tiene la DIAN en el RUT.", next: issuer },
  FAJ44: {
    means: "El NIT del negocio no está autorizado para facturar, o en el RUT es de otro nombre.",
    next: issuer,
  },
  ZB01: { means: "El archivo no tiene la forma que exige la DIAN.", next: provider },
  ZE02: {
    means: "La firma digital no es válida.",
    next: "Revise que el certificado del proveedor esté vigente y reenvíe.",
  },
  "90": {
    means: "La DIAN ya tiene un documento con este número.",
    next: "No haga nada: se le pregunta cuál tiene y queda como ella lo tenga.",
  },
  "89": {
    means: "El software no está autorizado para enviar documentos de este NIT.",
    next: "En el portal de la DIAN asocie el software a su NIT; revise el NIT en Ajustes, Facturación, y reenvíe.",
  },
};

/** The third letter of a rule's code names the part of the document: FAB, CAB, DAB and NAB are all about numbering. */
const parts: Record<string, Words> = {
  B: { means: "La numeración o la autorización del documento no coincide con la DIAN.", next: numbering },
  D: { means: "Un dato de la cabecera (código único, fecha, número o tipo) no es el esperado.", next: seal },
  J: { means: "Un dato del negocio no coincide con lo que tiene la DIAN.", next: issuer },
  K: { means: "Un dato del comprador falta o no es válido.", next: buyer },
  N: {
    means: "El medio o la forma de pago no es uno de la lista de la DIAN.",
    next: "Corrija el medio de pago en la caja y reenvíe.",
  },
  Q: { means: "Un descuento o un cargo no está bien declarado.", next: totals },
  S: { means: "Los impuestos del documento no suman lo que la DIAN calcula.", next: totals },
  U: { means: "Los totales del documento no suman lo que la DIAN calcula.", next: totals },
  V: { means: "Una línea no suma lo que la DIAN calcula.", next: totals },
  X: { means: "Los impuestos de una línea no suman lo que la DIAN calcula.", next: totals },
  Z: {
    means: "El producto de una línea no está bien identificado.",
    next: "Corrija el producto en Productos y reenvíe.",
  },
};

const unknown: Words = {
  means: "La DIAN no aceptó un dato del documento; la frase de arriba es la suya.",
  next: "Corrija el dato que dice y reenvíe. Si no es claro, consúltelo con su contador y dele este código.",
};

function wordsOf(code: string): Words {
  const exact = code.toUpperCase();
  const name = exact.replace(/(?<=\d)[A-Z]$/, "");
  const found = (one: string) => (Object.hasOwn(rules, one) ? rules[one] : undefined);
  const known = found(exact) ?? found(name);
  if (known) return known;
  // Notes and POS documents break the same rules under their own letters: CAD06 and DEAD06 are FAD06.
  const [, place, rest] = /^(?:DE|[A-Z])A([A-Z])(\w+)$/.exec(exact) ?? [];
  if (place !== undefined) {
    const asInvoice = `FA${place}${rest}`;
    return found(asInvoice) ?? found(asInvoice.replace(/(?<=\d)[A-Z]$/, "")) ?? parts[place] ?? unknown;
  }
  if (/^Z[BE]/.test(name)) return rules[name.startsWith("ZE") ? "ZE02" : "ZB01"]!;
  return unknown;
}

/** What this service and its provider say, without a rule's code. */
const sentences: [RegExp, Words][] = [
  [/no autorizado a enviar documentos/i, rules["89"]!],
  [
    /se agotó|venció el|no hay un rango/i,
    {
      means: "No quedan números autorizados para este documento.",
      next: "Registre un rango nuevo en Ajustes, Facturación, y reenvíe.",
    },
  ],
  [
    /certificado/i,
    {
      means: "El certificado con que se firma no sirve.",
      next: "Renuévelo con su proveedor de facturación y reenvíe.",
    },
  ],
  [
    /401|403|token|no autenticad|unauthenticated/i,
    {
      means: "El proveedor no reconoció la clave del negocio.",
      next: "Revise el token del proveedor en Ajustes, Facturación, y reenvíe.",
    },
  ],
  [
    /set de prueba/i,
    {
      means: "La habilitación ante la DIAN no está en el estado que este envío necesita.",
      next: "Termine la habilitación en el portal de la DIAN, cambie el ambiente y reenvíe.",
    },
  ],
];

function wordsOfSentence(sentence: string): Words {
  return (
    sentences.find(([pattern]) => pattern.test(sentence))?.[1] ?? {
      means: "El documento no se pudo emitir; la frase de arriba dice por qué.",
      next: "Corrija la causa y reenvíe.",
    }
  );
}
