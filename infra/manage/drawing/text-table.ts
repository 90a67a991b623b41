import { type Colour, oneLine, type Paint } from '../terminal.ts';
import { type Block, cut, hanging, linesIn, widthOf, wrap, wrapWords } from './layout.ts';

type Cell = string | number | boolean | null | undefined;

/**
 * What a column does when its table is too wide:
 *
 * - `cut`: its texts are shortened
 * - `below`: its values move to a line of their own under their row, the rightmost column's first
 * - `wide`: it's left out if even that isn't enough. Another command or `--json` must have it
 */
type Yielding = 'cut' | 'below' | 'wide';

export type Column<Row> = readonly [
  heading: string,
  cellOf: (row: Row, paint: Paint) => Cell,
  yielding?: Yielding,
];

/** A table that can't be made narrow enough is drawn as one record per row. */
export const drawTable =
  <Row>(rows: readonly Row[], columns: readonly Column<Row>[], paint: Paint): Block =>
  (width) => {
    const all = columns.map(([heading, cellOf, yielding]): Strip => {
      const cells = rows.map((row) => cellOf(row, paint));
      const isNumeric = cells.every((cell) => cell == null || typeof cell === 'number');
      return { heading, texts: cells.map(textOf), yielding, isRight: isNumeric && rows.length > 0 };
    });
    const fitted = squeeze(all, width);
    if (fitted === undefined) return rows.flatMap((_, row) => expandedRow(all, row, width));
    const [first = '', ...others] = linesOf(fitted.inline, rows.length);
    return [
      paint('bold', first),
      ...others.flatMap((line, row) => [line, ...linesBelow(fitted.below, row, width, paint)]),
    ];
  };

/** For a single entry of a list. */
export const drawRow =
  <Row>(columns: readonly Column<Row>[]) =>
  (row: Row, paint: Paint): Block =>
    drawTable([row], columns, paint);

type Strip = {
  readonly heading: string;
  readonly texts: readonly string[];
  readonly yielding: Yielding | undefined;
  readonly isRight: boolean;
};

const gap = 2;
/** Texts are cut to no less as long as other columns can go below. */
const comfortable = 40;
/** Shorter texts say nothing. */
const leastCut = 16;

type Fitted = { readonly inline: readonly Strip[]; readonly below: readonly Strip[] };

function squeeze(all: readonly Strip[], width: number): Fitted | undefined {
  if (totalOf(all.map(widthOfStrip)) <= width) return { inline: all, below: [] };
  let inline = all.filter(({ texts }) => texts.some((text) => text !== ''));
  let below: readonly Strip[] = [];
  for (;;) {
    const canYield = inline.some(({ yielding }) => yielding === 'below');
    const narrowed = narrow(inline, width, canYield ? comfortable : leastCut);
    if (narrowed !== undefined) return { inline: narrowed, below };
    const leaving =
      inline.findLast(({ yielding }) => yielding === 'below') ??
      inline.findLast(({ yielding }) => yielding === 'wide');
    if (leaving === undefined) return undefined;
    if (leaving.yielding === 'below') below = [leaving, ...below];
    inline = inline.filter((strip) => strip !== leaving);
  }
}

/** Shares the room among the columns that can be cut: none loses while another has more. */
function narrow(
  strips: readonly Strip[],
  width: number,
  least: number,
): readonly Strip[] | undefined {
  if (strips.length === 0) return undefined;
  const wanted = strips.map(widthOfStrip);
  const excess = totalOf(wanted) - width;
  if (excess <= 0) return strips;
  const most = wanted.flatMap((one, index) => (strips[index]?.yielding === 'cut' ? [one] : []));
  const limit = limitThatSaves(most, excess);
  if (limit === undefined || limit < least) return undefined;
  return strips.map((strip) =>
    strip.yielding === 'cut'
      ? { ...strip, texts: strip.texts.map((text) => cut(text, limit)) }
      : strip,
  );
}

/** The widest limit under which these widths lose this much together. */
function limitThatSaves(widths: readonly number[], excess: number): number | undefined {
  for (let limit = Math.max(0, ...widths); limit > 0; limit -= 1) {
    const saved = widths.reduce((sum, width) => sum + Math.max(0, width - limit), 0);
    if (saved >= excess) return limit;
  }
  return undefined;
}

const widthOfStrip = ({ heading, texts }: Strip): number =>
  texts.reduce((most, text) => Math.max(most, widthOf(text)), widthOf(heading));

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, gap * Math.max(0, widths.length - 1));

function linesOf(strips: readonly Strip[], count: number): readonly string[] {
  const widths = strips.map(widthOfStrip);
  const lineOf = (textIn: (strip: Strip) => string) =>
    strips
      .map((strip, index) => {
        const text = textIn(strip);
        const blanks = ' '.repeat((widths[index] ?? 0) - widthOf(text));
        return strip.isRight ? blanks + text : text + blanks;
      })
      .join(' '.repeat(gap))
      .trimEnd();
  const rows = Array.from({ length: count }, (_, row) => lineOf(({ texts }) => texts[row] ?? ''));
  return [lineOf(({ heading }) => heading), ...rows];
}

const indent = '  ';

/** An id says itself what it is. */
function linesBelow(below: readonly Strip[], row: number, width: number, paint: Paint): string[] {
  const lines: string[] = [];
  for (const { heading, texts } of below) {
    const text = texts[row] ?? '';
    if (text === '') continue;
    const value = heading === 'ID' ? text : `${paint('dim', heading.toLowerCase())} ${text}`;
    const last = lines.at(-1);
    const longer = `${last}${indent}${value}`;
    if (last !== undefined && widthOf(longer) <= width) lines.splice(-1, 1, longer);
    else lines.push(...linesIn(hanging(indent, indent.repeat(2), value), width));
  }
  return lines;
}

function expandedRow(strips: readonly Strip[], row: number, width: number): readonly string[] {
  const fields = strips.map(({ heading, texts }) => [heading, texts[row] || undefined] as const);
  const lines = linesIn(drawRecord(fields), width);
  return row === 0 ? lines : ['', ...lines];
}

/** One per line, without absent values. Long values go on beneath themselves. */
export const drawRecord =
  (fields: readonly (readonly [name: string, value: Cell])[]): Block =>
  (width) => {
    const present = fields.filter(([, value]) => value !== undefined && value !== null);
    const label = Math.max(0, ...present.map(([name]) => widthOf(name))) + gap;
    return present.flatMap(([name, value]) => fieldLines(name, textOf(value), label, width));
  };

function fieldLines(name: string, value: string, label: number, width: number): readonly string[] {
  const lead = name + ' '.repeat(label - widthOf(name));
  const lines = wrapWords(value, width - label);
  const fits = lines.every((line) => widthOf(line) <= width - label);
  if (fits) {
    return lines.map((line, index) => ((index === 0 ? lead : ' '.repeat(label)) + line).trimEnd());
  }
  return [name, ...wrap(indent + value, width)];
}

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

export const secondsOf = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : `${(ms / 1_000).toFixed(1)} s`;

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
