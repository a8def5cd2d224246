import type { ConsistencyCheck } from "./consistency-checks.ts";

/** Joins a numbering range with the documents that used its numbers. */
const inRange = `i.account_id = r.account_id and coalesce(i.body->>'prefix', '') = r.prefix
  and (i.document_type = 'internal_invoice') = (r.kind = 'internal')
  and (i.body->>'number')::bigint between r.first_number and r.last_number`;

/** Invariants of numbering, documents and their sales. */
export const fiscalChecks: readonly ConsistencyCheck[] = [
  {
    problem: "la numeración de un rango tiene huecos o repetidos",
    // Every number used belongs to a document or is recorded as skipped, never both.
    text: `select format('%s %s: %s documentos, %s números distintos, del %s al %s; se entregaron del %s al %s, %s saltados',
        r.kind, r.prefix, n.documents, n.numbers, n.least, n.most, r.first_number, r.next_number - 1, s.numbers) as "where"
      from numbering_ranges r cross join lateral (
        select count(*) as documents, count(distinct i.body->>'number') as numbers,
          min((i.body->>'number')::bigint) as least, max((i.body->>'number')::bigint) as most,
          count(*) filter (where exists (
            select from skipped_numbers k where k.account_id = r.account_id and k.range_id = r.id
              and (i.body->>'number')::bigint between k.first_number and k.last_number)) as skipped
        from invoices i where ${inRange} and not exists (
          -- A register's own document, told as a finding: its number is still ahead, or another document has it.
          select from taken_numbers t where t.account_id = i.account_id and t.range_id = r.id and t.invoice_id = i.id
            and (t.number >= r.next_number or exists (
              select from fiscal_documents d where d.account_id = t.account_id and d.range_id = t.range_id
                and d.number = t.number and d.invoice_id <> t.invoice_id) or exists (
              select from taken_numbers o where o.account_id = t.account_id and o.range_id = t.range_id
                and o.number = t.number and o.invoice_id < t.invoice_id)))) n
      cross join lateral (
        select coalesce(sum(k.last_number - k.first_number + 1), 0) as numbers from skipped_numbers k
        where k.account_id = r.account_id and k.range_id = r.id) s
      where n.documents + s.numbers <> r.next_number - r.first_number or n.numbers <> n.documents
        or n.skipped > 0 or n.most >= r.next_number`,
  },
  {
    problem: "una venta completada no tiene documento",
    text: `select format('venta %s', s.id) as "where" from sales s join fiscal_profiles p using (account_id)
      where s.status = 'completed' and s.created_at >= p.since and json_array_length(s.body->'invoices') = 0
        and json_array_length(s.body->'items') > 0`,
  },
  {
    problem: "una venta tiene dos documentos vigentes y nadie fue avisado",
    text: `select format('venta %s', s.id) as "where" from sales s
      cross join lateral (
        select count(*) as standing from json_array_elements(s.body->'invoices') as one(value)
        where one.value->>'status' = 'issued' and one.value->>'document_type' not in ('pos_adjustment_note', 'other')) d
      where s.status = 'completed' and d.standing > 1 and not exists (
        select from fiscal_findings f where f.account_id = s.account_id and f.kind = 'two_documents' and f.sale_id = s.id)`,
  },
  {
    problem: "el resumen de un documento en su venta no es el del documento",
    text: `select format('venta %s, documento %s', coalesce(s.sale_id, i.sale_id), coalesce(s.id, i.id)) as "where"
      from (
        select s.account_id, s.id as sale_id, (one.value->>'id')::uuid as id, one.value::jsonb as summary
        from sales s cross join lateral json_array_elements(s.body->'invoices') as one(value)
      ) s full join (
        select i.account_id, i.sale_id, i.id, jsonb_build_object('id', i.body->'id', 'document_type',
          i.body->'document_type', 'status', i.body->'status', 'cufe', i.body->'cufe', 'prefix', i.body->'prefix',
          'number', i.body->'number') as summary
        from invoices i join sales t on t.account_id = i.account_id and t.id = i.sale_id
      ) i on i.account_id = s.account_id and i.sale_id = s.sale_id and i.id = s.id
      where s.summary is distinct from i.summary`,
  },
  {
    problem: "un documento no es de la sede de su venta o de su devolución",
    text: `select format('documento %s, de la sede %s y no de la %s', i.id, coalesce(i.location_id, i.account_id), own.place) as "where"
      from fiscal_documents d join invoices i on i.account_id = d.account_id and i.id = d.invoice_id
      join sales s on s.account_id = i.account_id and s.id = i.sale_id
      left join returns r on r.account_id = i.account_id and r.invoice_id = i.id
      cross join lateral (
        select case when r.id is null then coalesce(s.location_id, s.account_id) else coalesce(r.location_id, r.account_id) end) own (place)
      where coalesce(i.location_id, i.account_id) <> own.place`,
  },
  {
    problem: "el trabajo sobre un documento no concuerda con su estado",
    text: `select format('documento %s: %s, %s', d.invoice_id, i.status, d.state) as "where"
      from fiscal_documents d left join invoices i on i.account_id = d.account_id and i.id = d.invoice_id
      where i.id is null or (i.status = 'pending') <> (d.due_at is not null)
        or (i.status in ('issued', 'annulled')) <> (d.state = 'decided')
        or (d.number is not null and d.number <> (i.body->>'number')::bigint)`,
  },
];
