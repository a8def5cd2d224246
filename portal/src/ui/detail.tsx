import { Fragment, type ReactNode } from "react";
import { Link } from "wouter";
import { ApiError } from "../lib/api.ts";
import { Empty, ErrorMessage, Heading, Loading } from "./parts.tsx";

/** A record's page: what it is made of in the middle, its facts beside it. */
export function Detail({ children, aside }: { children: ReactNode; aside: ReactNode }) {
  return (
    <div className="detail">
      <div>{children}</div>
      <aside>{aside}</aside>
    </div>
  );
}

/** Labels and values. A value that is null or undefined leaves its label out. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([label, value]) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

/** What a record's page shows until the record is there, or when it does not come. */
export function DetailPending({
  record,
  heading,
  none,
  back,
}: {
  record: { isPending: boolean; error: unknown; refetch: () => unknown };
  heading: string;
  /** What is said at an address that no record has. */
  none: string;
  back: { to: string; label: string };
}) {
  if (record.isPending) return <Loading />;
  return (
    <>
      <Heading title={heading} back={back} />
      {hasNone(record.error) ? (
        <Empty icon="alert" title={none}>
          Revise la dirección, o búsquelo en <Link href={back.to}>{back.label}</Link>.
        </Empty>
      ) : (
        <ErrorMessage error={record.error} retry={record.refetch} />
      )}
    </>
  );
}

/** Nobody has this id, or it is none. */
function hasNone(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 404 || (error.status === 400 && error.param === "id");
}
