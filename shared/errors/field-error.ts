import { config, type core, safeParse } from 'zod/mini';
import { cutText } from './cut-text.ts';
import { fieldNamesAt } from './field-names.ts';
import { type FieldError, validationFailed } from './service-error.ts';
import { nearestOf, unknownFieldMessage } from './unknown-field.ts';

/** The most unknown fields named for one body. */
const maxUnknown = 20;
/** The most other faults named: an answer has room for 6 MB, and a body may have a fault in each of its bytes. */
const maxFaults = 200;
const longestName = 64;

type Noun = 'field' | 'parameter';

/** @throws ServiceError `validation_failed`, with the path of each faulty field. */
export function parseFields<Schema extends core.$ZodType>(
  schema: Schema,
  value: unknown,
  noun: Noun = 'field',
): core.output<Schema> {
  const parsed = safelyParsed(schema, value);
  if (parsed.success) return parsed.data;
  throw validationFailed(toFieldErrors(schema, parsed.error?.issues, noun));
}

/**
 * The faults are by field path, or `body` for the whole. There is no `data` if the schema finds one.
 *
 * @param naming.within has the fields that an unknown one is compared with.
 */
export function readFields<Schema extends core.$ZodType>(
  schema: Schema,
  value: unknown,
  naming: { readonly within?: core.$ZodType; readonly noun?: Noun } = {},
): { readonly data: core.output<Schema> | undefined; readonly errors: readonly FieldError[] } {
  const { within = schema, noun } = naming;
  const parsed = safelyParsed(schema, value);
  return parsed.success
    ? { data: parsed.data, errors: [] }
    : { data: undefined, errors: toFieldErrors(within, parsed.error?.issues, noun) };
}

/** zod passes all faults of a field to one call, so some 100,000 overflow the stack. */
function safelyParsed<Schema extends core.$ZodType>(schema: Schema, value: unknown) {
  try {
    return safeParse(schema, value);
  } catch (error) {
    if (error instanceof RangeError) return { success: false as const, error: undefined };
    throw error;
  }
}

/** For an unknown field, suggests the name that was probably meant. */
function toFieldErrors(
  schema: core.$ZodType,
  issues: readonly core.$ZodIssue[] | undefined,
  noun: Noun = 'field',
): readonly FieldError[] {
  if (issues === undefined) return [{ path: 'body', message: 'has too many faults' }];
  const found = issues.filter(({ code }) => code !== 'unrecognized_keys');
  const faults = found
    .slice(0, maxFaults)
    .map(({ path, message }) => ({ path: pathOf(path), message }));
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => ({ within: issue.path, name }))
      : [],
  );
  const named = unknown.slice(0, maxUnknown).map(({ within, name }) => ({
    path: pathOf([...within, name]),
    message: unknownFieldMessage(name, fieldNamesAt(schema, within), noun),
  }));
  return [
    ...faults,
    ...countOf(found.length - faults.length, 'faults'),
    ...named,
    ...countOf(unknown.length - named.length, `unknown ${noun}s`),
  ];
}

const countOf = (more: number, what: string): readonly FieldError[] =>
  more === 0 ? [] : [{ path: 'body', message: `has ${more} more ${what}` }];

const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((name) => cutText(String(name), longestName)).join('.') || 'body';

/** Names allowed values and never the given one, which may be an address or a secret. A schema's own message wins. */
function messageOf(issue: core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames.get(issue.expected) ?? `a valid ${issue.expected}`}`;
    case 'invalid_value':
      return oneOf(issue.values, issue.input);
    case 'too_small':
      return boundOf(
        issue.origin,
        issue.inclusive === false ? 'more than' : 'at least',
        issue.minimum,
      );
    case 'too_big':
      return boundOf(
        issue.origin,
        issue.inclusive === false ? 'less than' : 'at most',
        issue.maximum,
      );
    case 'invalid_format':
      return issue.format === 'regex'
        ? `must match ${issue.pattern}`
        : `must be a valid ${formatNames.get(issue.format) ?? issue.format}`;
    default:
      return 'is not valid';
  }
}

/** Starts with the probable value. */
function oneOf(values: readonly core.util.Primitive[], input: unknown): string {
  const isComparable = typeof input === 'string' && input.length <= longestName;
  const nearest = isComparable ? nearestOf(input, values.map(String)) : undefined;
  const allowed = `must be ${values.map((value) => JSON.stringify(value)).join(' or ')}`;
  return nearest === undefined ? allowed : `did you mean "${nearest}"? It ${allowed}`;
}

const typeNames: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'an array'],
  ['object', 'an object'],
  ['record', 'an object'],
]);

const formatNames: ReadonlyMap<string, string> = new Map([
  ['email', 'email address'],
  ['url', 'URL'],
]);

const units: ReadonlyMap<string, readonly [one: string, many: string]> = new Map([
  ['string', ['character', 'characters']],
  ['array', ['entry', 'entries']],
]);

function boundOf(origin: string, bound: string, limit: number | bigint): string {
  const unit = units.get(origin);
  if (unit === undefined) return `must be ${bound} ${limit}`;
  return `must have ${bound} ${limit} ${limit === 1 ? unit[0] : unit[1]}`;
}

// zod/mini has no messages: without this, every fault reads "Invalid input".
config({ localeError: messageOf });

/**
 * Runs a check across fields even if single fields are faulty, so the caller gets all faults at once. The check may
 * then see unparsed fields.
 */
export const acrossFields = { when: ({ value }: core.ParsePayload) => isObject(value) };

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
