import { stripVTControlCharacters } from 'node:util';

/** Lines at most this wide, as far as words allow. Prose is text: its words are wrapped. */
export type Block = string | ((width: number) => readonly string[]);
export type Drawing = Block | readonly Block[];

export const layOut = (drawing: Drawing, width: number): string =>
  [drawing]
    .flat()
    .flatMap((block) => linesIn(block, width))
    .join('\n');

export const linesIn = (block: Block, width: number): readonly string[] =>
  typeof block === 'string' ? wrap(block, width) : block(width);

/** For what people copy: files, content. */
export const verbatim =
  (text: string): Block =>
  () =>
    text.split('\n');

/** The text's further lines begin as `rest` does. */
export const hanging =
  (lead: string, rest: string, text: string): Block =>
  (width) =>
    hangingLines(lead, rest, text, width);

/** A line's indent and mark stay: `  → ` */
export const wrap = (text: string, width: number): readonly string[] =>
  text.split('\n').flatMap((line) => {
    if (widthOf(line) <= width) return [line];
    const [, indent = '', mark = ''] =
      /^( *)((?:[→✗✓?] )?)/u.exec(stripVTControlCharacters(line)) ?? [];
    const rest = ' '.repeat(indent.length + mark.length);
    return hangingLines(indent, rest, line.slice(indent.length), width);
  });

const hangingLines = (lead: string, rest: string, text: string, width: number) =>
  wrapWords(text, width - widthOf(rest)).map((line, index) => (index === 0 ? lead : rest) + line);

/** A word that is wider gets a line of its own, whole: it may be a secret or an address to copy. */
export function wrapWords(text: string, width: number): readonly string[] {
  if (widthOf(text) <= width) return [text];
  const [, prose = '', command] = /^(.*?)((?:PORT=\d+ )?(?:npm run|npx) .*)?$/.exec(text) ?? [];
  const lines: string[] = [];
  for (const { text: word, before } of wordsOf(prose, width)) {
    const last = lines.at(-1);
    const longer = `${last}${before}${word}`;
    if (last !== undefined && widthOf(longer) <= width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return command === undefined ? lines : [...lines, ...wrapCommand(command, width)];
}

type Word = { readonly text: string; readonly before: '' | ' ' };

/** One that doesn't fit may break after a comma, as JSON can. */
const wordsOf = (text: string, width: number): readonly Word[] =>
  (text.match(/\S+/g) ?? []).flatMap((word) => {
    const parts = widthOf(word) > width ? word.split(/(?<=,)/) : [word];
    return parts.map((part, index): Word => ({ text: part, before: index === 0 ? ' ' : '' }));
  });

/** To be pasted: it goes on after a backslash, before an option or a pipe. */
export function wrapCommand(command: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const part of command.split(/ (?=--\w|\w+=|\| )/)) {
    const last = lines.at(-1);
    const longer = `${last} ${part}`;
    if (last === undefined) lines.push(part);
    else if (widthOf(longer) <= width - 2) lines.splice(-1, 1, longer);
    else lines.push(`    ${part}`);
  }
  return lines.map((line, index) => (index === lines.length - 1 ? line : `${line} \\`));
}

/** Ends with … if it was cut. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += widthOfGrapheme(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** In the cells of a terminal: East Asian letters and emoji take two. */
export function widthOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length;
  return [...graphemes.segment(plain)].reduce(
    (sum, { segment }) => sum + widthOfGrapheme(segment),
    0,
  );
}

const widthOfGrapheme = (grapheme: string): number =>
  isWide.test(grapheme) ? 2 : /^\p{M}+$/u.test(grapheme) ? 0 : 1;

const isWide =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|\u{fe0f}|[\u{3000}-\u{3029}\u{3030}-\u{303e}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}]/u;
