import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Mentions, Path } from './expression-reader.ts';
import { toStored } from './item-values.ts';
import { refuse } from './refusals.ts';

/** A path without placeholders. Its first element is an attribute's name. */
export type DocumentPath = readonly (string | number)[];

/** What the placeholders of a request's expressions stand for. */
export type Placeholders = {
  pathOf(path: Path): DocumentPath;
  valueOf(placeholder: string): AttributeValue;
};

export type PlaceholderRequest = {
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Record<string, AttributeValue> | undefined;
};

/**
 * @param expressions Everything that the request's expressions speak of.
 * @throws DynamoDBServiceException when a placeholder is not defined, or defined and not used.
 */
export function openPlaceholders(
  request: PlaceholderRequest,
  expressions: readonly Mentions[],
): Placeholders {
  const names = request.ExpressionAttributeNames;
  const values = request.ExpressionAttributeValues;
  for (const mentions of expressions) {
    checkDefined(mentions.names, names);
    checkDefined(mentions.values, values);
  }
  checkUsed(names, /^#\w+$/, (name) => expressions.some((mentions) => mentions.names.has(name)));
  checkUsed(values, /^:\w+$/, (name) => expressions.some((mentions) => mentions.values.has(name)));

  const nameOf = (element: string): string =>
    element.startsWith('#') ? (names?.[element] ?? refuse(`Not defined: ${element}`)) : element;
  return {
    pathOf: ({ elements }) =>
      elements.map((element) => (typeof element === 'string' ? nameOf(element) : element)),
    valueOf: (placeholder) =>
      toStored(values?.[placeholder] ?? refuse(`Not defined: ${placeholder}`)),
  };
}

/** Whether two operands are paths to the same place. */
export function isSamePath(
  one: { readonly kind: string } | Path,
  other: { readonly kind: string } | Path,
  { pathOf }: Placeholders,
): boolean {
  if (!('elements' in one && 'elements' in other)) return false;
  const [path, otherPath] = [pathOf(one), pathOf(other)];
  return path.length === otherPath.length && path.every((element, at) => element === otherPath[at]);
}

function checkDefined(
  mentioned: ReadonlySet<string>,
  defined: Readonly<Record<string, unknown>> | undefined,
): void {
  for (const placeholder of mentioned) {
    if (defined?.[placeholder] === undefined) refuse(`Used and not defined: ${placeholder}`);
  }
}

function checkUsed(
  defined: Readonly<Record<string, unknown>> | undefined,
  form: RegExp,
  isUsed: (placeholder: string) => boolean,
): void {
  if (defined === undefined) return;
  const placeholders = Object.keys(defined);
  if (placeholders.length === 0) refuse('Expression attribute names and values must not be empty');
  for (const placeholder of placeholders) {
    if (!form.test(placeholder)) refuse(`Invalid key: ${placeholder}`);
    if (!isUsed(placeholder)) refuse(`Defined and unused in expressions: ${placeholder}`);
  }
}
