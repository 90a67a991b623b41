import { InvalidArgumentError } from 'commander';
import { editDistance } from '#shared/errors/edit-distance';
import { usageFailure } from './failure.ts';

/** Reads an option that takes one of a few words. */
export const oneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word => {
    const word = words.find((one) => one === text);
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`${suggestion(text, words)}There is ${words.join(', ')}.`);
  };

/** Reads an option that takes some of these words, with commas between. */
export const listOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word[] =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(oneOf(words));

/** Reads an option that takes a whole number. */
export function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

/** Reads a switch. */
export const onOrOff = (text: string): boolean => oneOf(['on', 'off'])(text) === 'on';

/** Stands for `null`, which commander takes for an option that was not read. */
const none = Symbol('none');

/** Reads an option that may take the value away, by the word `none`. */
export const orNone =
  <Value>(read: (text: string) => Value) =>
  (text: string): Value | typeof none =>
    text === 'none' ? none : read(text);

/**
 * The fields to change that options name: `none` becomes `null`.
 *
 * @throws Failure when nothing is to change.
 */
export function changesOf(
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const changes = Object.entries(options);
  if (changes.length === 0) throw usageFailure('Say what to change: --help lists the options.');
  return Object.fromEntries(changes.map(([name, value]) => [name, value === none ? null : value]));
}

/** Which of the words was probably meant: at most a third of its letters differ. */
function suggestion(text: string, words: readonly string[]): string {
  const [nearest] = words
    .map((word) => ({ word, distance: editDistance(text.slice(0, 40).toLowerCase(), word) }))
    .filter(({ word, distance }) => distance * 3 <= word.length)
    .toSorted((one, other) => one.distance - other.distance);
  return nearest === undefined ? '' : `Did you mean ${nearest.word}? `;
}
