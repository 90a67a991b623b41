/**
 * Writes one record of CSV (RFC 4180). A cell that a spreadsheet would run as a formula gets an apostrophe in front
 * (OWASP, "CSV Injection"), and so does a cell that begins with one: `withoutDefusing` takes exactly these off.
 */
export const csvRecord = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(defused(cell))).join(',')}\r\n`;

const isDangerous = /^[=+\-@\t\r\n']/;

const defused = (cell: string): string => (isDangerous.test(cell) ? `'${cell}` : cell);

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** The cell as it was before `csvRecord` wrote it. */
export const withoutDefusing = (cell: string): string =>
  cell.startsWith("'") && isDangerous.test(cell.slice(1)) ? cell.slice(1) : cell;
