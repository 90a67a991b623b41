import type { SignatureFault } from './signature-faults.ts';

/** A body, and the receiver's faults that would explain a signature of it. */
export type BodyGuess = { readonly body: string; readonly faults: readonly SignatureFault[] };

/**
 * Each guess once, starting with what the receiver takes for the body.
 *
 * @param sent the body that was sent, if known.
 */
export function guessBodies(payload: string, sent: string | undefined): BodyGuess[] {
  const value = parse(payload);
  const trimmed = payload.trimEnd();
  const guesses: BodyGuess[] = [
    { body: payload, faults: [] },
    ...[trimmed, `${trimmed}\n`, `${trimmed}\r\n`].map((body) => ({
      body,
      faults: ['trailing_newline'] as const,
    })),
    ...(sent === undefined ? [] : [{ body: sent, faults: [faultBetween(payload, sent)] }]),
    ...(value === undefined ? [] : reprints(value)).map((body) => ({
      body,
      faults: ['body_reprinted'] as const,
    })),
  ];
  const first = new Map<string, BodyGuess>();
  for (const guess of guesses) if (!first.has(guess.body)) first.set(guess.body, guess);
  return [...first.values()];
}

/** Ignores white space, escapes and key order. */
export function isSameJson(one: string, other: string): boolean {
  const [first, second] = [parse(one), parse(other)];
  return (
    first !== undefined && second !== undefined && print(sorted(first)) === print(sorted(second))
  );
}

const faultBetween = (payload: string, sent: string): SignatureFault =>
  isSameJson(payload, sent) ? 'body_reprinted' : 'body_changed';

/** As common languages print JSON by default, with keys in the given order and sorted. */
function reprints(value: unknown): string[] {
  const indents = indentation(value) > mostIndentation ? [undefined] : [undefined, 2, 4];
  return [value, sorted(value)].flatMap((shown) => [
    ...indents.map((indent) => print(shown, indent)),
    asPythonDoes(shown),
  ]);
}

/** Far more than a message needs. Each value of a deep list is indented by its depth. */
const mostIndentation = 400_000;

/** The white space before the values, four more on each level. */
const indentation = (value: unknown): number =>
  levelsOf(value).reduce((sum, { length }, depth) => sum + length * depth * 4, 0);

const print = (value: unknown, indent?: number): string => JSON.stringify(value, null, indent);

/** `json.dumps`: a space after comma and colon, and every non-ASCII character escaped. */
function asPythonDoes(value: unknown): string {
  const spaced = printSpaced(value);
  return spaced.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function printSpaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printSpaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return print(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${print(key)}: ${printSpaced(member)}`,
  );
  return `{${members.join(', ')}}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** `undefined` if the text isn't JSON, since no JSON parses to it, or nests deeper than a message. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return levelsOf(value).length > mostLevels ? undefined : value;
  } catch {
    return undefined;
  }
}

/** An email's metadata has up to 31 in its message. What sorts and prints a value recurses. */
const mostLevels = 40;

/** The values of each level, up to one level too many. Without recursion, so that no value is too deep. */
function levelsOf(value: unknown): unknown[][] {
  const levels: unknown[][] = [];
  let level = [value];
  while (level.length > 0 && levels.length <= mostLevels) {
    levels.push(level);
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    );
  }
  return levels;
}
