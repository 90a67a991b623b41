import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { editDistance } from '#shared/errors/edit-distance';
import { wrapCommand } from './drawing/layout.ts';
import { usageFailure } from './failure.ts';
import { usualWidth } from './terminal.ts';

/**
 * Commander checks its own `requiredOption` before misspelled options: `--nam` would report that `--name` is missing.
 */
class NeededOption extends Option {}

/** `.addOption(needed('--name <name>', 'its name'))`. */
export function needed(flags: string, description: string, read?: (text: string) => unknown) {
  const option = new NeededOption(flags, `${description} (required)`);
  return read === undefined ? option : option.argParser(read);
}

/** Replaces commander's own checks, which don't say where a value belongs. */
export function checkGiven(command: Command): void {
  const missing = command.options.filter(
    (option) =>
      option instanceof NeededOption &&
      command.getOptionValue(option.attributeName()) === undefined,
  );
  const [first, ...others] = missing;
  const takesMore = command.registeredArguments.at(-1)?.variadic === true;
  const excess = takesMore ? undefined : command.args[command.registeredArguments.length];
  if (excess !== undefined) {
    const isMeant = first !== undefined && others.length === 0;
    const meant = isMeant ? ` Did you mean ${first.long} ${quoted(excess)}?` : '';
    command.error(`error: '${command.name()}' takes no argument ${quoted(excess)}.${meant}`);
  }
  if (first !== undefined) command.error(`error: '${first.flags}' is missing`);
}

/** For groups with a single command: people may type the verb they know from other groups, or leave it out. */
export const optionalVerb = (verb: string): Argument =>
  new Argument(`[${verb}]`, 'optional').choices([verb]);

/** Quoted if a shell needs it. */
export const quoted = (value: string): string =>
  /^[\w.:/-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;

export const oneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word => {
    const word = words.find((one) => one === text);
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`${suggestion(text, words)}Choose from: ${words.join(', ')}.`);
  };

/** Comma-separated, any words. */
export const listOfAny = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Comma-separated, of these words. */
export const listOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word[] =>
    listOfAny(text).map(oneOf(words));

export function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Must be a whole number.');
}

export const onOrOff = (text: string): boolean => oneOf(['on', 'off'])(text) === 'on';

/** Represents `null`, which commander treats as an option that wasn't read. */
const none = Symbol('none');

/** The word `none` removes the value. */
export const orNone =
  <Value>(read: (text: string) => Value) =>
  (text: string): Value | typeof none =>
    text === 'none' ? none : read(text);

/**
 * `none` becomes `null`.
 *
 * @throws Failure if there is nothing to change.
 */
export function changesOf(
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const changes = Object.entries(options);
  if (changes.length === 0) throw usageFailure('Nothing to change: --help lists the options.');
  return Object.fromEntries(changes.map(([name, value]) => [name, value === none ? null : value]));
}

/** The most similar word, if at most a third of its letters differ. */
export function suggestion(text: string, words: readonly string[]): string {
  const [nearest] = words
    .map((word) => ({ word, distance: editDistance(text.slice(0, 40).toLowerCase(), word) }))
    .filter(({ word, distance }) => distance * 3 <= word.length)
    .toSorted((one, other) => one.distance - other.distance);
  return nearest === undefined ? '' : `Did you mean ${nearest.word}? `;
}

/** For a command that prints CSV, and what to use instead. */
export function refuseJson(command: Command, instead: string): void {
  if (command.optsWithGlobals()['json'] !== true) return;
  throw usageFailure(`This prints CSV. For JSON: ${instead}`);
}

export const examples = (...commands: readonly string[]): string =>
  ['\nExamples:', ...commands.flatMap(exampleLines)].join('\n');

const exampleLines = (command: string): readonly string[] =>
  wrapCommand(`${programFor(command)} ${command}`, usualWidth - 2).map((line) => `  ${line}`);

/** Without -s, npm's own lines are in the file. */
const programFor = (command: string): string =>
  command.includes(' > ') ? 'npm run -s manage --' : 'npm run manage --';
