import { stripVTControlCharacters } from 'node:util';
import { type Colour, oneLine, type Paint } from '../terminal.ts';

type Cell = string | number | boolean | null | undefined;

export type Column<Row> = readonly [heading: string, cellOf: (row: Row, paint: Paint) => Cell];

export function drawTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  paint: Paint,
): string {
  const headings = columns.map(([heading]) => heading);
  const cells = rows.map((row) => columns.map(([, cellOf]) => textOf(cellOf(row, paint))));
  const [first = '', ...others] = align([headings, ...cells]);
  return [paint('bold', first), ...others].join('\n');
}

/** For a single entry of a list. */
export const drawRow =
  <Row>(columns: readonly Column<Row>[]) =>
  (row: Row, paint: Paint): string =>
    drawTable([row], columns, paint);

/** One per line, without absent values. */
export function drawRecord(fields: readonly (readonly [name: string, value: Cell])[]): string {
  const present = fields.filter(([, value]) => value !== undefined && value !== null);
  return align(present.map(([name, value]) => [name, textOf(value)])).join('\n');
}

function align(lines: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const line of lines) {
    for (const [column, text] of line.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, widthOf(text));
    }
  }
  return lines.map((line) =>
    line
      .map((text, column) => text + ' '.repeat((widths[column] ?? 0) - widthOf(text)))
      .join('  ')
      .trimEnd(),
  );
}

const widthOf = (text: string): number => [...stripVTControlCharacters(text)].length;

function textOf(value: Cell): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

export const foreign = (text: string | undefined | null): Cell =>
  text === undefined || text === null ? undefined : oneLine(text);

/** Epoch milliseconds, shown in UTC to the second. */
export const momentOf = (ms: number | undefined | null): Cell =>
  ms === undefined || ms === null
    ? undefined
    : new Date(ms)
        .toISOString()
        .replace(/\.\d+Z$/, 'Z')
        .replace('T', ' ');

const colours: ReadonlyMap<string, Colour> = new Map([
  ...of('green', 'sent', 'delivered', 'active', 'found', 'healthy'),
  ...of(
    'yellow',
    'sending',
    'suppressed',
    'soft_bounced',
    'delayed',
    'pending',
    'invited',
    'missing',
    'retrying',
    'failing',
  ),
  ...of('red', 'failed', 'bounced', 'complained', 'wrong', 'paused', 'revoked', 'disabled'),
  ...of('cyan', 'opened', 'clicked'),
  ...of('dim', 'unknown'),
]);

function of(colour: Colour, ...words: readonly string[]): (readonly [string, Colour])[] {
  return words.map((word) => [word, colour]);
}

/** Unknown words have no colour. */
export function paintState(word: string | undefined, paint: Paint): string {
  if (word === undefined) return '';
  const colour = colours.get(word);
  return colour === undefined ? word : paint(colour, word);
}
