import { parseCsv } from '#shared/csv/csv';
import { findColumns } from '#shared/suppressions/import-columns';

/**
 * What one request can store before it runs out of time. With more rows it would have to be repeated, and each
 * repetition counts all its rows against the organization's `contactsPerDay`.
 */
const maxOfPart = { rows: 3_000, bytes: 2_500_000 };

export type ImportPart = {
  readonly text: string;
  readonly firstLine: number;
  lineInFile(lineOfPart: number): number;
};

/** Each part is a complete file: it repeats the header, and never splits a row. */
export function divideImport(text: string, most = maxOfPart): readonly ImportPart[] {
  const records = [...parseCsv(text)];
  const isHeader = findColumns(records[0]?.cells ?? [])?.isHeader ?? true;
  const rows = isHeader ? records.slice(1) : records;
  const [firstRow] = rows;
  if (firstRow === undefined) return [{ text, firstLine: 1, lineInFile: (line) => line }];

  const begins = [firstRow];
  const size = { rows: 0, bytes: 0 };
  for (const [index, row] of rows.entries()) {
    const bytes = Buffer.byteLength(text.slice(row.at, rows[index + 1]?.at));
    if (size.rows === most.rows || (size.rows > 0 && size.bytes + bytes > most.bytes)) {
      begins.push(row);
      Object.assign(size, { rows: 0, bytes: 0 });
    }
    size.rows += 1;
    size.bytes += bytes;
  }
  const header = text.slice(0, firstRow.at);
  return begins.map(({ at, line: firstLine }, index) => ({
    text: header + text.slice(at, begins[index + 1]?.at),
    firstLine,
    lineInFile: (line) => line + firstLine - firstRow.line,
  }));
}
