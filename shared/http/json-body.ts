import { ServiceError } from '#shared/errors/service-error';
import { findJsonFault } from './json-fault.ts';
import type { RawBody } from './raw-body.ts';

/**
 * Reads a JSON body. It has no limit of its own: Lambda takes 6 MB. A member that could reach a prototype is
 * refused with the rest of it.
 *
 * @throws ServiceError `unsupported_content_type`, `malformed_json`
 */
export function readJson({ body, isBase64Encoded, headers }: RawBody): unknown {
  if (!jsonType.test(headers['content-type'] ?? '')) throw notJson();
  const text = decode(body ?? '', isBase64Encoded);
  try {
    return JSON.parse(text, refusePrototypes);
  } catch {
    throw new ServiceError('malformed_json', faultOf(text));
  }
}

/** The place, and nothing of the body: it may hold addresses and secrets. */
function faultOf(text: string): string {
  if (text.trim() === '') return 'The body is empty. Send the fields as a JSON object.';
  const fault = findJsonFault(text);
  if (fault === undefined) return 'The body has a field named __proto__, or a prototype.';
  const before = text.slice(0, fault).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  const ends = fault === text.length ? 'it ends too early, at ' : '';
  return `The body is not valid JSON: ${ends}line ${before.length}, column ${column}.`;
}

const jsonType = /^application\/([a-z0-9.+-]+\+)?json(;|$)/i;

const decode = (body: string, isBase64Encoded: boolean): string =>
  isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;

function refusePrototypes(name: string, value: unknown): unknown {
  const isPrototype =
    name === '__proto__' || (name === 'constructor' && Object.hasOwn(Object(value), 'prototype'));
  if (isPrototype) throw new TypeError('a prototype is no data');
  return value;
}

const notJson = (): ServiceError =>
  new ServiceError(
    'unsupported_content_type',
    'Send the body as JSON, with the header "Content-Type: application/json".',
  );
