/**
 * One CSV record (RFC 4180). A cell that a spreadsheet would run as a formula gets a leading apostrophe (OWASP, "CSV
 * Injection"), and so does one that starts with an apostrophe, so that `withoutDefusing` removes exactly these.
 */
export const csvRecord = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(defused(cell))).join(',')}\r\n`;

const isDangerous = /^[=+\-@\t\r\n']/;

const defused = (cell: string): string => (isDangerous.test(cell) ? `'${cell}` : cell);

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

export const withoutDefusing = (cell: string): string =>
  cell.startsWith("'") && isDangerous.test(cell.slice(1)) ? cell.slice(1) : cell;

type CsvRecord = {
  readonly line: number;
  /** Where it begins in the text. */
  readonly at: number;
  readonly cells: readonly string[];
};

/**
 * Reads CSV (RFC 4180): quoted cells may contain commas, line ends and doubled quotes. Lines end with CRLF, LF or CR.
 * Skips a byte order mark and empty lines. Takes linear time and never refuses a text: a quote inside a bare cell is
 * literal, and a missing closing quote is implied.
 */
export function* parseCsv(text: string): Generator<CsvRecord> {
  const tokens = /"((?:[^"]|"")*)(?:"|$)([^,\r\n]*)|[^,\r\n]*/y;
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let line = 1;
  let begin = { line, at };
  let cells: string[] = [];
  for (;;) {
    tokens.lastIndex = at;
    const [token = '', quoted, rest = ''] = tokens.exec(text) ?? [];
    cells.push(quoted === undefined ? token : quoted.replaceAll('""', '"') + rest);
    line += lineEndsIn(token);
    at += token.length;
    const end = text[at];
    at += end === '\r' && text[at + 1] === '\n' ? 2 : 1;
    if (end === ',') continue;

    const isEmptyLine = cells.length === 1 && token === '';
    if (!isEmptyLine) yield { ...begin, cells };
    if (end === undefined) return;
    line += 1;
    begin = { line, at };
    cells = [];
  }
}

const lineEndsIn = (token: string): number => token.match(/\r\n|\n|\r/g)?.length ?? 0;
