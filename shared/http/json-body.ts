import { ServiceError } from '#shared/errors/service-error';
import type { RawBody } from './raw-body.ts';

/**
 * Reads a JSON body. It has no limit of its own: Lambda takes 6 MB. A member that could reach a prototype is
 * refused with the rest of it.
 *
 * @throws ServiceError `unsupported_content_type`, `malformed_json`
 */
export function readJson({ body, isBase64Encoded, headers }: RawBody): unknown {
  if (!jsonType.test(headers['content-type'] ?? '')) throw notJson();
  try {
    return JSON.parse(decode(body ?? '', isBase64Encoded), refusePrototypes);
  } catch {
    throw new ServiceError('malformed_json', 'The body is not valid JSON.');
  }
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
