import { ServiceError } from '#shared/errors/service-error';
import type { HttpRequest } from './http-endpoint.ts';

/**
 * Parses the body of a request as JSON.
 *
 * @throws ServiceError `unsupported_content_type`, `malformed_json`
 */
export function readJson({ body, isBase64Encoded, headers }: HttpRequest): unknown {
  if (!json.test(headers['content-type'] ?? '')) {
    throw new ServiceError(
      'unsupported_content_type',
      'Send the body as JSON, with the header "Content-Type: application/json".',
    );
  }
  // No body at all becomes "undefined", which is no JSON either.
  const text = String(body);
  try {
    return JSON.parse(isBase64Encoded ? decodeBase64(text) : text, refusePrototype);
  } catch (cause) {
    throw new ServiceError('malformed_json', 'The body is not valid JSON.', { cause });
  }
}

const decodeBase64 = (text: string): string => Buffer.from(text, 'base64').toString();

/** RFC 6839 §3.1: whatever ends in `+json` is JSON too. */
const json = /^application\/([a-z0-9.+-]+\+)?json(;|$)/i;

/** What would become the prototype of an object that it is copied into. */
function refusePrototype(key: string, value: unknown): unknown {
  const isPrototype = key === '__proto__';
  const hasPrototype = key === 'constructor' && Object.hasOwn(Object(value), 'prototype');
  if (isPrototype || hasPrototype) throw new SyntaxError('A prototype is no JSON of ours');
  return value;
}
