import type { SuppressionReason } from '#shared/contacts/contact';
import { parseCsv } from '#shared/csv/csv';
import { invalidField } from '#shared/errors/service-error';
import { findColumns } from '#shared/suppressions/import-columns';
import { maxRows, readImportRow } from '#shared/suppressions/import-row';
import type { NewSuppression } from '#shared/suppressions/suppression';

export type RefusedRow = { readonly line: number; readonly message: string };

export type Import = {
  /** Each address and reason once: the earliest row counts. */
  readonly suppressions: readonly NewSuppression[];
  /** Rows that repeat an earlier one. */
  readonly repeated: number;
  readonly refused: readonly RefusedRow[];
};

/**
 * @param fallback the reason for rows that name none.
 * @throws ServiceError `validation_failed` if the file as a whole can't be read.
 */
export function readImport(
  text: string,
  fallback: SuppressionReason | undefined,
  now: number,
): Import {
  const records = parseCsv(text);
  const first = records.next();
  const found = first.done === true ? undefined : findColumns(first.value.cells);
  if (first.done === true || found === undefined) throw noAddresses();

  const suppressions = new Map<string, NewSuppression>();
  const refused: RefusedRow[] = [];
  let rows = 0;
  const take = ({ line, cells }: typeof first.value) => {
    rows += 1;
    if (rows > maxRows) throw tooManyRows();
    const row = readImportRow(cells, found.columns, fallback, now);
    if (!row.ok) {
      refused.push({ line, message: row.message });
      return;
    }
    const name = `${row.value.reason} ${row.value.identity}`;
    if (!suppressions.has(name)) suppressions.set(name, row.value);
  };
  if (!found.isHeader) take(first.value);
  for (const record of records) take(record);
  const repeated = rows - refused.length - suppressions.size;
  return { suppressions: [...suppressions.values()], repeated, refused };
}

const noAddresses = () =>
  invalidField(
    'body',
    'has no column of addresses: its first line must name one (email, address or EmailAddress), or begin with an address',
  );

const tooManyRows = () =>
  invalidField(
    'body',
    `has more than ${maxRows} rows: split it and import one part after the other`,
  );
