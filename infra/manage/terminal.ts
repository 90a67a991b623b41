import { styleText } from 'node:util';
import { type Drawing, layOut } from './drawing/layout.ts';
import { usageFailure } from './failure.ts';
import type { Output, Surroundings } from './surroundings.ts';

export type Colour = 'green' | 'red' | 'yellow' | 'cyan' | 'bold' | 'dim';
export type Paint = (colour: Colour, text: string) => string;

export type TerminalOptions = {
  readonly json?: boolean;
  readonly yes?: boolean;
  /** `false` with `--no-color`. */
  readonly color?: boolean;
};

/** Data goes to standard output, words to standard error. */
export type Terminal = {
  /** Shows JSON with --json. */
  show(body: unknown, draw: (paint: Paint) => Drawing): void;
  /** As `show`, for a stream. */
  showLine(body: unknown, draw: (paint: Paint) => Drawing): void;
  say(words: Drawing): void;
  /** @throws Failure if the answer is no, or there's no one to ask. */
  confirm(question: string): Promise<void>;
};

type Streams = Pick<Surroundings, 'environment' | 'output' | 'errors' | 'ask'>;

export function createTerminal(
  { environment, output, errors, ask }: Streams,
  { json = false, yes = false, color = true }: TerminalOptions,
): Terminal {
  const isColoured = color && output.isTerminal && takesColours(environment);
  const paint: Paint = (colour, text) =>
    isColoured ? styleText(colour, text, { validateStream: false }) : text;
  const write = (body: unknown, draw: (paint: Paint) => Drawing, indent: number) => {
    const text = json
      ? JSON.stringify(body ?? null, null, indent)
      : layOut(draw(paint), columnsOf(output));
    if (text !== '') output.write(`${text}\n`);
  };
  return {
    show: (body, draw) => write(body, draw, 2),
    showLine: (body, draw) => write(body, draw, 0),
    say: (words) => errors.write(`${layOut(words, columnsOf(errors))}\n`),
    async confirm(question) {
      if (yes) return;
      if (ask === undefined) throw usageFailure(`${question} Confirm with --yes.`);
      const answer = await ask(`${layOut(question, columnsOf(errors) - 6)} [y/N] `);
      if (!/^\s*y(es)?\s*$/i.test(answer)) throw usageFailure('Nothing was done.');
    },
  };
}

/** Unbounded without a terminal: what reads a file or a pipe looks for whole values. */
export const columnsOf = ({ isTerminal, columns }: Output): number =>
  isTerminal ? columns || usualWidth : Number.POSITIVE_INFINITY;

export const usualWidth = 80;

/** See no-color.org. */
const takesColours = (environment: Surroundings['environment']): boolean =>
  (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';

/** Strangers write subjects and diagnostics: with control characters, they could overwrite other lines. */
export const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ').trim();

/** A line from outside, with its blanks and tabs. Unprintable characters become visible. */
export const printable = (line: string): string =>
  line.replace(/(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\u{fffd}');
