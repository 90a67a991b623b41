import { config, type core } from 'zod/mini';
import { fieldNamesAt } from './field-names.ts';
import type { FieldError } from './service-error.ts';
import { unknownFieldMessage } from './unknown-field.ts';

/** Of a body with thousands of unknown fields, so many are named. */
const mostUnknown = 20;
const longestName = 64;

/**
 * The issues of a value as the caller is told of them, each by the path of its field; the path is `body`
 * when the whole is at fault. A field that the schema does not know gets the name that was probably meant.
 */
export function toFieldErrors(
  schema: core.$ZodType,
  issues: readonly core.$ZodIssue[],
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
    message: unknownFieldMessage(name, fieldNamesAt(schema, within)),
  }));
  const unnamed = unknown.length - named.length;
  if (unnamed === 0) return [...faults, ...named];
  return [...faults, ...named, { path: 'body', message: `has ${unnamed} more unknown fields` }];
}

const pathOf = (path: readonly PropertyKey[]): string => path.join('.') || 'body';

/**
 * What a schema says of a value, to be read behind the field's name. It names what is allowed and never
 * the value, which may be an address or a secret. Where a schema says more, its own words stand.
 */
function messageOf(issue: core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames.get(issue.expected) ?? `a valid ${issue.expected}`}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
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

// zod/mini comes without messages: without this line every fault reads "Invalid input".
config({ localeError: messageOf });
