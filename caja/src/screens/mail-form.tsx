import { type FormEvent, useState } from "react";
import type { KeptSale } from "../../../register/sale.ts";
import { OldService } from "../ui/old-service.tsx";
import { storeProblem } from "../ui/problems.ts";
import { useFirstField } from "../ui/use-first-field.ts";
import { useAccepts, useCounter, useDevice, useOpen, useStatus } from "../use-device.ts";

/** Nothing where the business does not mail tickets. */
export function MailButton({ onClick }: { onClick: () => void }) {
  const { business } = useCounter();
  if (!business.ticket_mail) return null;
  return (
    <button type="button" onClick={onClick}>
      Por correo
    </button>
  );
}

export function MailSent({ to }: { to: string }) {
  const { connection } = useStatus();
  return (
    <p role="status" className="notice">
      {connection === "online" ? "En camino" : "Saldrá cuando haya conexión"}: {to}
    </p>
  );
}

/** The wish is stored like a sale and goes up with the rest; the service sends the mail once the document has its verdict. */
export function MailForm({ sale, onSent }: { sale: KeptSale; onSent: (email: string) => void }) {
  const { register } = useOpen();
  const device = useDevice();
  const form = useFirstField<HTMLFormElement>();
  const isAccepted = useAccepts("ticket_mail.1");
  const customer = sale.data.customer_id ? register.catalog.get("customer", sale.data.customer_id) : undefined;
  const [email, setEmail] = useState<string>(customer?.email ?? "");
  const [problem, setProblem] = useState<string>();
  const isAddress = /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+\.[^\s@<>,;:"()]+$/.test(email.trim());
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!isAddress) return setProblem("Eso no es un correo: escriba por ejemplo ana@correo.co.");
    setProblem(undefined);
    try {
      const data = { sale_id: sale.id, email: email.trim() };
      await register.record([{ type: "ticket_mail", id: crypto.randomUUID(), data }]);
      device.wake();
      onSent(data.email);
    } catch (error) {
      setProblem(storeProblem(error));
    }
  }
  if (!isAccepted) return <OldService what="el envío de tiquetes por correo" />;
  return (
    <form ref={form} className="pair mail" noValidate onSubmit={(event) => void submit(event)}>
      <label className="field">
        <span>Correo del cliente</span>
        <input
          type="email"
          inputMode="email"
          autoComplete="off"
          maxLength={254}
          value={email}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            setProblem(undefined);
          }}
        />
      </label>
      <button type="submit" disabled={email.trim() === ""}>
        Enviar
      </button>
      {problem && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
    </form>
  );
}
