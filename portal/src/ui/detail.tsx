import { Fragment, type ReactNode } from "react";
import { ErrorMessage, Heading, Loading } from "./parts.tsx";

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
  back,
}: {
  record: { isPending: boolean; error: unknown; refetch: () => unknown };
  heading: string;
  back: { to: string; label: string };
}) {
  if (record.isPending) return <Loading />;
  return (
    <>
      <Heading title={heading} back={back} />
      <ErrorMessage error={record.error} retry={record.refetch} />
    </>
  );
}
