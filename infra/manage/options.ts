import { type Command, InvalidArgumentError, Option } from 'commander';
import { editDistance } from '#shared/errors/edit-distance';
import { usageFailure } from './failure.ts';

/**
 * An option that must be there. Commander's own `requiredOption` is looked for before misspelt options are: who
 * types `--nam` would hear that `--name` is missing, and not what was meant.
 */
class NeededOption extends Option {}

/** Adds such an option: `.addOption(needed('--name <name>', 'its name'))`. */
export function needed(flags: string, description: string, read?: (text: string) => unknown) {
  const option = new NeededOption(flags, `${description} (required)`);
  return read === undefined ? option : option.argParser(read);
}

/** Fails when a needed option is missing. */
export function requireNeeded(command: Command): void {
  const missing = command.options.find(
    (option) =>
      option instanceof NeededOption &&
      command.getOptionValue(option.attributeName()) === undefined,
  );
  if (missing !== undefined) command.error(`error: '${missing.flags}' is missing`);
}

/** Reads an option that takes one of a few words. */
export const oneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word => {
    const word = words.find((one) => one === text);
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`${suggestion(text, words)}Choose from: ${words.join(', ')}.`);
  };

/** Reads a comma-separated option of any words. */
export const listOfAny = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Reads a comma-separated option of these words. */
export const listOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word[] =>
    listOfAny(text).map(oneOf(words));

/** Reads an option that takes a whole number. */
export function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Must be a whole number.');
}

/** Reads a switch. */
export const onOrOff = (text: string): boolean => oneOf(['on', 'off'])(text) === 'on';

/** Stands for `null`, which commander takes for an option it hasn't read. */
const none = Symbol('none');

/** Reads an option whose word `none` removes the value. */
export const orNone =
  <Value>(read: (text: string) => Value) =>
  (text: string): Value | typeof none =>
    text === 'none' ? none : read(text);

/**
 * The fields to change: `none` becomes `null`.
 *
 * @throws Failure when there is nothing to change.
 */
export function changesOf(
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const changes = Object.entries(options);
  if (changes.length === 0) throw usageFailure('Nothing to change: --help lists the options.');
  return Object.fromEntries(changes.map(([name, value]) => [name, value === none ? null : value]));
}

/** The word that was probably meant: at most a third of its letters differ. */
function suggestion(text: string, words: readonly string[]): string {
  const [nearest] = words
    .map((word) => ({ word, distance: editDistance(text.slice(0, 40).toLowerCase(), word) }))
    .filter(({ word, distance }) => distance * 3 <= word.length)
    .toSorted((one, other) => one.distance - other.distance);
  return nearest === undefined ? '' : `Did you mean ${nearest.word}? `;
}

/** Examples below the help of a command. */
export const examples = (...commands: readonly string[]): string =>
  `\nExamples:\n${commands.map((command) => `  npm run manage -- ${command}`).join('\n')}`;
