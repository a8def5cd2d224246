import { type FormEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { folded } from "../../../register/search.ts";
import type { Ticket } from "../../../register/ticket.ts";
import { isSameDocument } from "../../../src/taxes/document-number.ts";
import { formatNit, parseNit } from "../../../src/taxes/nit.ts";
import { storeProblem } from "../ui/problems.ts";
import { useCounter, useDevice, useOpen } from "../use-device.ts";
import { customerDraft, dropCustomerDraft, keepCustomerDraft } from "./customer-drafts.ts";

interface Customer {
  id: string;
  name: string;
  last_name?: string | null;
  document_type?: string;
  document_number?: string | null;
}

/** An invoice needs a buyer; a POS document goes to the final consumer unless somebody is named. */
export function isBuyerComplete(ticket: Ticket): boolean {
  return ticket.document_kind === "pos" || ticket.customer_id !== null;
}

interface FieldsProps {
  isOpen?: boolean;
  onChosen?: () => void;
  /** The document was chosen, and nobody has to be found for it. */
  onAnswered?: () => void;
}

export function BuyerFields({ isOpen = false, onChosen, onAnswered }: FieldsProps) {
  const { counter } = useOpen();
  const { current, business } = useCounter();
  const [isChoosing, setChoosing] = useState(isOpen);
  const customer = useBuyer();
  const setKind = (document_kind: Ticket["document_kind"]) => {
    counter.edit((ticket) => ({ ...ticket, document_kind }));
    if (document_kind === "invoice" && !current.customer_id) choosing(true);
    else onAnswered?.();
  };
  const fields = useRef<HTMLFieldSetElement>(null);
  /** The next key is for the buyer's name, or for what comes after it. */
  function choosing(next: boolean): void {
    flushSync(() => setChoosing(next));
    if (next) fields.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    else onAnswered?.();
  }
  const choose = (customer_id: string | null) => {
    const kind = customer_id === null && { document_kind: "pos" as const };
    counter.edit((ticket) => ({ ...ticket, customer_id, ...kind }));
    setChoosing(false);
    onChosen?.();
    onAnswered?.();
  };
  return (
    <fieldset ref={fields} className="buyer stack">
      <legend>Documento</legend>
      <div className="chips">
        <button type="button" aria-pressed={current.document_kind === "pos"} onClick={() => setKind("pos")}>
          Tiquete POS
        </button>
        <button type="button" aria-pressed={current.document_kind === "invoice"} onClick={() => setKind("invoice")}>
          Factura
        </button>
        <button type="button" className="quiet" onClick={() => choosing(!isChoosing)}>
          {customer ?? "Consumidor final"}
        </button>
      </div>
      {current.document_kind === "invoice" && business.nit === null && (
        <p role="status" className="notice">
          A este negocio le faltan los datos de impuestos: se imprime solo un comprobante, hasta que el dueño los
          complete en el portal, en Ajustes, Facturación.
        </p>
      )}
      {isChoosing && <CustomerPicker draftOf={current.id} onChoose={choose} nobody="Consumidor final" />}
    </fieldset>
  );
}

/** The name of whom the current ticket is for. */
export function useBuyer(): string | undefined {
  const { register } = useOpen();
  const { customer_id } = useCounter().current;
  const customer = customer_id === null ? undefined : register.catalog.get("customer", customer_id);
  return customer && nameOf(customer as Customer);
}

function nameOf({ name, last_name, document_number }: Customer): string {
  return [name, last_name, document_number && `· ${document_number}`].filter(Boolean).join(" ");
}

interface PickerProps {
  /** The ticket or the sale for which somebody new may be half typed. */
  draftOf: string;
  onChoose: (id: string | null) => void;
  /** The name of the choice that takes none. */
  nobody?: string;
}

/** Finds a customer or makes one. */
export function CustomerPicker({ draftOf, onChoose, nobody }: PickerProps) {
  const { register } = useOpen();
  const [query, setQuery] = useState("");
  const [isNew, setNew] = useState(false);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (found.length === 1) onChoose(found[0]!.id);
  }
  /** What was typed is the new one's; what was half typed before is of somebody else. */
  function create(): void {
    if (isUnknown) dropCustomerDraft(draftOf);
    setNew(true);
  }
  const draft = customerDraft(draftOf);
  const wanted = folded(query.trim());
  const found =
    wanted.length < 2
      ? []
      : (register.catalog.all("customer") as Customer[])
          .filter((one) => folded(nameOf(one)).includes(wanted) || isSameDocument(wanted, one.document_number ?? ""))
          .slice(0, 8);
  const isUnknown = wanted.length >= 2 && found.length === 0;
  if (isNew) return <NewCustomer draftOf={draftOf} typed={query.trim()} onMade={onChoose} />;
  return (
    <form className="stack" onSubmit={submit}>
      <label className="field">
        <span>Cliente</span>
        <input
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          placeholder="Nombre o documento"
          autoComplete="off"
          data-autofocus
        />
      </label>
      <div className="choices">
        {found.map((customer) => (
          <button key={customer.id} type="button" onClick={() => onChoose(customer.id)}>
            {nameOf(customer)}
          </button>
        ))}
        {isUnknown ? (
          <>
            <p role="status">Ningún cliente tiene ese nombre ni ese documento.</p>
            <button type="button" className="primary" onClick={create}>
              Crear «{query.trim()}»
            </button>
          </>
        ) : (
          <button type="button" onClick={create}>
            Cliente nuevo{draft && ` · ${draft.name || draft.number || draft.email}`}
          </button>
        )}
        {nobody && (
          <button type="button" onClick={() => onChoose(null)}>
            {nobody}
          </button>
        )}
      </div>
    </form>
  );
}

const documentTypes = ["CC", "NIT", "CE", "TI", "PASAPORTE"];

/** Nine digits that begin with 8 or 9 are a company's, with its check digit or without. */
function proposedType(number: string): string {
  return /^[89]\d{8}(-?\d)?$/.test(number.replace(/[\s.]/g, "")) ? "NIT" : "CC";
}

/** A scan may close it at any time: what was typed is there again when it opens. */
function NewCustomer(props: { draftOf: string; typed: string; onMade: (id: string) => void }) {
  const { draftOf, typed, onMade } = props;
  const { counter, register } = useOpen();
  const isNumber = /^[\d.\- ]{5,}$/.test(typed);
  const device = useDevice();
  const [fields, setFields] = useState(
    () =>
      customerDraft(draftOf) ?? {
        name: isNumber ? "" : typed,
        type: proposedType(typed),
        number: isNumber ? typed : "",
        email: "",
        accepts: false,
      },
  );
  const { name, type, number, email, accepts } = fields;
  function set(change: Partial<typeof fields>): void {
    setFields({ ...fields, ...change });
    keepCustomerDraft(draftOf, { ...fields, ...change });
  }
  /** Whoever has chosen the kind of document keeps it. */
  const [isChosen, setChosen] = useState(false);
  const setNumber = (typed: string) => set({ number: typed, ...(!isChosen && { type: proposedType(typed) }) });
  function finish(id: string): void {
    dropCustomerDraft(draftOf);
    onMade(id);
  }
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus(), []);
  const [problem, setProblem] = useState<string>();
  const reading = type === "NIT" ? parseNit(number) : undefined;
  const wrong = reading && reading.kind !== "valid" && number.trim() !== "" ? nitProblem(reading) : undefined;
  const customers = register.catalog.all("customer") as Customer[];
  const known = customers.find((one) => isSameDocument(number, one.document_number ?? ""));
  const isValid = !known && name.trim() !== "" && number.trim() !== "" && (type !== "NIT" || reading?.kind === "valid");
  async function save(event: FormEvent) {
    event.preventDefault();
    if (!isValid) return;
    const document_number = reading?.kind === "valid" ? formatNit(reading.number) : number.trim();
    try {
      const id = await counter.addCustomer({
        name: name.trim(),
        document_type: type,
        document_number,
        person_type: type === "NIT" ? "company" : "person",
        email: email.trim() || null,
        ...(accepts && { accepts_marketing: true }),
      });
      device.wake();
      finish(id);
    } catch (error) {
      setProblem(storeProblem(error));
    }
  }
  return (
    <form ref={form} className="stack" onSubmit={(event) => void save(event)}>
      <label className="field">
        <span>Nombre o razón social</span>
        <input
          value={name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          maxLength={120}
          data-autofocus
        />
      </label>
      <div className="pair">
        <label className="field">
          <span>Documento</span>
          <select
            value={type}
            onChange={(event) => {
              setChosen(true);
              set({ type: event.currentTarget.value });
            }}
          >
            {documentTypes.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>Número</span>
          <input
            value={number}
            onChange={(event) => setNumber(event.currentTarget.value)}
            maxLength={20}
            autoComplete="off"
          />
        </label>
      </div>
      <label className="field">
        <span>Correo (opcional)</span>
        <input
          type="email"
          value={email}
          onChange={(event) => set({ email: event.currentTarget.value })}
          maxLength={120}
        />
      </label>
      <label className="check">
        <input type="checkbox" checked={accepts} onChange={(event) => set({ accepts: event.currentTarget.checked })} />
        <span>Autoriza que le envíen publicidad</span>
      </label>
      {(wrong ?? problem) && (
        <p role="alert" className="problem">
          {wrong ?? problem}
        </p>
      )}
      {known && (
        <p className="notice remark" role="status">
          <span>Ese documento ya es de {nameOf(known)}.</span>
          <button type="button" onClick={() => finish(known.id)}>
            Usarlo
          </button>
        </p>
      )}
      <button type="submit" className="primary" disabled={!isValid}>
        Guardar cliente
      </button>
    </form>
  );
}

function nitProblem(reading: Exclude<ReturnType<typeof parseNit>, { kind: "valid" }>): string {
  return reading.kind === "wrong_check_digit"
    ? `El dígito de verificación no corresponde: para ${reading.number} es ${reading.checkDigit}.`
    : "No es un NIT: escriba por ejemplo 900373923-8.";
}
