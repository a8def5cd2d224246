-- How a business's papers look, and the accounts of its daily journal. Where a business set nothing, the defaults apply.
create table paper_settings (
  account_id uuid primary key,
  look json not null,
  accounts json not null,
  updated_at timestamptz(3) not null
);

-- The signed XML of a document, as the provider handed it out with the verdict: the buyer gets it with the PDF.
create table document_xml (
  account_id uuid not null,
  invoice_id uuid not null,
  xml bytea not null,
  created_at timestamptz(3) not null,
  primary key (account_id, invoice_id)
);

-- The document that a mail carries. Its files are made when the mail is sent.
alter table mails add column document_id uuid;
