import { ServiceError } from '#shared/errors/service-error';
import type { RawBody } from './raw-body.ts';

/**
 * Reads the text fields of a body. Mail clients send `multipart/form-data` or
 * `application/x-www-form-urlencoded` (RFC 8058 §3.2), programs send JSON. A body of any other type has no
 * fields, and neither has a missing one.
 *
 * @throws ServiceError `malformed_body`
 */
export async function readFields({
  body,
  isBase64Encoded,
  headers,
}: RawBody): Promise<URLSearchParams> {
  const contentType = headers['content-type'];
  if (body === undefined || contentType === undefined) return new URLSearchParams();
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const message = new Response(bytes, { headers: { 'content-type': contentType } });
  try {
    if (json.test(contentType)) return textFields(Object.entries(Object(await message.json())));
    if (form.test(contentType)) return textFields(await message.formData());
    return new URLSearchParams();
  } catch (cause) {
    throw new ServiceError('malformed_body', 'The body is not what its Content-Type says.', {
      cause,
    });
  }
}

const json = /^application\/(?:[^;]+\+)?json\b/i;
const form = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i;

function textFields(entries: Iterable<readonly [string, unknown]>): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of entries) {
    if (typeof value === 'string') fields.append(name, value);
  }
  return fields;
}
