import { ServiceError } from '#shared/errors/service-error';
import type { RawBody } from './raw-body.ts';

/**
 * Reads a body of CSV as text, in UTF-8. It has no limit of its own: Lambda takes 6 MB. What it says is for its reader.
 *
 * @throws ServiceError `unsupported_content_type`
 */
export function readCsv({ body = '', isBase64Encoded, headers }: RawBody): string {
  if (fileType.test(headers['content-type'] ?? '')) {
    return isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  }
  throw new ServiceError(
    'unsupported_content_type',
    'Send the file as it is, with the header "Content-Type: text/csv".',
  );
}

/** Generated clients that cannot send `text/csv` send the bytes of a file. A form of another site can send neither. */
const fileType = /^(?:text\/csv|application\/octet-stream)(;|$)/i;
