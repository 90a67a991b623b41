import { ServiceError } from '#shared/errors/service-error';

/** From the front door, with headers by lower-case name. */
type RawBody = {
  readonly body: string | undefined;
  readonly isBase64Encoded: boolean;
  readonly headers: Readonly<Record<string, string | undefined>>;
};

/**
 * A stranger's body may have no more: reading a body takes many times its size, and sending it costs nothing. The
 * preferences page's form has some 40 KB if the organization has as many categories as it may.
 */
const maxBytesOfStrangers = 64 * 1024;

/** Such a body is read only for a known caller. Base64 counts as it came. */
export const exceedsStrangersSize = ({ body = '' }: Partial<Pick<RawBody, 'body'>>): boolean =>
  body.length > maxBytesOfStrangers;

/** @throws ServiceError `too_large` */
export function requireStrangersSize(raw: Partial<Pick<RawBody, 'body'>>): void {
  if (exceedsStrangersSize(raw)) throw tooLarge(maxBytesOfStrangers);
}

const tooLarge = (maxBytes: number): ServiceError =>
  new ServiceError('too_large', `The body has more than ${maxBytes} bytes.`);

/** Lambda takes 6 MB. Refuses members that could reach a prototype. */
export function readJson({ body, isBase64Encoded, headers }: RawBody): unknown {
  if (!jsonType.test(headers['content-type'] ?? '')) throw notJson();
  const text = decode(body ?? '', isBase64Encoded);
  if (hasMoreParts(text, maxParts)) {
    throw malformed(`has more than ${maxParts} names, texts, lists and objects`);
  }
  const value = parsed(text);
  refuseHarm(value);
  return value;
}

/** A hundred emails, each with a long invoice, have fewer. Whatever reads a body later walks through all of them. */
const maxParts = 100_000;

const codeOf = (character: string): number => character.charCodeAt(0);
const quote = codeOf('"');
const backslash = codeOf('\\');
const bracket = codeOf('[');
const brace = codeOf('{');

/** Without parsing it. Numbers don't count: a file may come as a list of its bytes, and they cost least. */
function hasMoreParts(text: string, most: number): boolean {
  let parts = 0;
  for (let at = 0; at < text.length && parts <= most; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = closingQuote(text, at);
    if (code === quote || code === bracket || code === brace) parts += 1;
  }
  return parts > most;
}

/** A string may have some MB, and `indexOf` is far faster than a loop. */
function closingQuote(text: string, opening: number): number {
  for (let at = text.indexOf('"', opening + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('malformed_json', faultOf(text));
  }
}

/** What reads a body later may recurse. */
const maxLevels = 1_000;

/** Level by level: a reviver takes fifty times as long, and the stack ends before the nesting does. */
function refuseHarm(value: unknown): void {
  let level = [value].filter(isObject);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxLevels) throw malformed(`nests deeper than ${maxLevels} levels`);
    if (level.some(hasPrototype)) throw malformed('has a field named __proto__, or a prototype');
    level = level.flatMap((object) => Object.values(object).filter(isObject));
  }
}

const malformed = (fault: string): ServiceError =>
  new ServiceError('malformed_json', `The body ${fault}.`);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const hasPrototype = (object: object): boolean =>
  Object.hasOwn(object, '__proto__') ||
  (Object.hasOwn(object, 'constructor') && Object.hasOwn(Object(object.constructor), 'prototype'));

/** Says only the position, because the body may contain addresses and secrets. */
function faultOf(text: string): string {
  if (text.trim() === '') return 'The body is empty. Send the fields as a JSON object.';
  const fault = findJsonFault(text) ?? text.length;
  const before = text.slice(0, fault).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  const ends = fault === text.length ? 'it ends too early, at ' : '';
  return `The body is not valid JSON: ${ends}line ${before.length}, column ${column}.`;
}

/** JSON is UTF-8 (RFC 8259 §8.1). A text in another charset would lose its letters unnoticed. */
const jsonType =
  /^application\/([a-z0-9.+-]+\+)?json(;(?!.*charset=(?!"?(?:utf-?8|us-ascii)\b))|$)/i;

const decode = (body: string, isBase64Encoded: boolean): string =>
  isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;

const notJson = (): ServiceError =>
  new ServiceError(
    'unsupported_content_type',
    'Send the body as JSON in UTF-8, with the header "Content-Type: application/json".',
  );

/** UTF-8 without a size limit: Lambda takes 6 MB. */
export function readCsv({ body = '', isBase64Encoded, headers }: RawBody): string {
  if (fileType.test(headers['content-type'] ?? '')) return decode(body, isBase64Encoded);
  throw new ServiceError(
    'unsupported_content_type',
    'Send the file unchanged, with the header "Content-Type: text/csv".',
  );
}

/** Generated clients that can't send `text/csv` send the bytes of a file. Another site's form can send neither. */
const fileType = /^(?:text\/csv|application\/octet-stream)(;|$)/i;

/**
 * Mail clients send `multipart/form-data` or `application/x-www-form-urlencoded` (RFC 8058 §3.2), programs send JSON.
 * A body of any other type has no fields, and neither has a missing one. Anyone may send a form, and parsing one takes
 * many times its size, so a larger body is refused unread.
 */
export async function readFields(
  { body, isBase64Encoded, headers }: RawBody,
  maxBytes = maxBytesOfStrangers,
): Promise<URLSearchParams> {
  const contentType = headers['content-type'];
  if (body === undefined || contentType === undefined) return new URLSearchParams();
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  const message = new Response(bytes, { headers: { 'content-type': contentType } });
  try {
    if (jsonFields.test(contentType))
      return textFields(Object.entries(Object(await message.json())));
    if (formFields.test(contentType)) return textFields(await message.formData());
    return new URLSearchParams();
  } catch (cause) {
    throw new ServiceError('malformed_body', 'The body doesn’t match its Content-Type.', {
      cause,
    });
  }
}

const jsonFields = /^application\/(?:[^;]+\+)?json\b/i;
const formFields = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i;

function textFields(entries: Iterable<readonly [string, unknown]>): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of entries) {
    if (typeof value === 'string') fields.append(name, value);
  }
  return fields;
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end';

const blanks = /[ \t\n\r]*/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
/** All characters from the space on, except the quote and the backslash. */
const plainText = /[ !#-[\]-\uffff]*/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Finds where the text stops being JSON (RFC 8259), which `JSON.parse` doesn't always say.
 *
 * @returns the offset, which is the text's length if it ends too early; `undefined` for valid JSON.
 */
export function findJsonFault(text: string): number | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let at = after(blanks, text, 0); ; at = after(blanks, text, at)) {
    const character = text[at];
    if (character === undefined) {
      return open.length === 0 && expected === 'comma or end' ? undefined : at;
    }
    const next = step(character, expected, open);
    if (next === undefined) return at;
    expected = next;
    if (punctuation.has(character)) at += 1;
    else {
      const end = character === '"' ? endOfString(text, at) : endOfScalar(text, at);
      if ('fault' in end) return end.fault;
      at = end.end;
    }
  }
}

const punctuation = new Set('{}[]:,');

/** `undefined` if the character isn't allowed here. */
function step(character: string, expected: Expected, open: string[]): Expected | undefined {
  switch (character) {
    case '{':
    case '[':
      if (!expected.startsWith('value')) return undefined;
      open.push(character);
      return character === '{' ? 'name or }' : 'value or ]';
    case '}':
    case ']': {
      const mayClose = expected === 'comma or end' || expected.endsWith(character);
      const opening = character === '}' ? '{' : '[';
      return mayClose && open.pop() === opening ? 'comma or end' : undefined;
    }
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    case ',':
      if (expected !== 'comma or end' || open.length === 0) return undefined;
      return open.at(-1) === '{' ? 'name' : 'value';
    default:
      if (character === '"' && expected.startsWith('name')) return 'colon';
      return expected.startsWith('value') ? 'comma or end' : undefined;
  }
}

type TokenEnd = { readonly end: number } | { readonly fault: number };

/** Not one regular expression for the whole string, whose backtracking would need memory for each character. */
function endOfString(text: string, start: number): TokenEnd {
  let at = after(plainText, text, start + 1);
  while (text[at] === '\\') {
    const end = after(escapeSequence, text, at);
    if (end === at) return { fault: at };
    at = after(plainText, text, end);
  }
  return text[at] === '"' ? { end: at + 1 } : { fault: at };
}

function endOfScalar(text: string, start: number): TokenEnd {
  const end = after(scalar, text, start);
  return end === start ? { fault: start } : { end };
}

function after(expression: RegExp, text: string, start: number): number {
  expression.lastIndex = start;
  return start + (expression.exec(text)?.[0].length ?? 0);
}
