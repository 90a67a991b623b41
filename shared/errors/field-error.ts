import { config, type core } from 'zod/mini';
import { fieldNamesAt } from './field-names.ts';
import type { FieldError } from './service-error.ts';
import { nearestOf, unknownFieldMessage } from './unknown-field.ts';

/** The most unknown fields named for one body. */
const mostUnknown = 20;
const longestName = 64;

/** By field path, or `body` for the whole. For an unknown field, suggests the name that was probably meant. */
export function toFieldErrors(
  schema: core.$ZodType,
  issues: readonly core.$ZodIssue[],
  noun: 'field' | 'parameter' = 'field',
): readonly FieldError[] {
  const faults = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? [] : { path: pathOf(issue.path), message: issue.message },
  );
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => ({ within: issue.path, name }))
      : [],
  );
  const named = unknown.slice(0, mostUnknown).map(({ within, name }) => ({
    path: pathOf([...within, name.slice(0, longestName)]),
    message: unknownFieldMessage(name, fieldNamesAt(schema, within), noun),
  }));
  const unnamed = unknown.length - named.length;
  if (unnamed === 0) return [...faults, ...named];
  return [...faults, ...named, { path: 'body', message: `has ${unnamed} more unknown ${noun}s` }];
}

const pathOf = (path: readonly PropertyKey[]): string => path.join('.') || 'body';

/** Says what is allowed and never the value, which may be an address or a secret. A schema's own message wins. */
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
