import { describe, expect, it } from 'vitest';
import { readCsv } from '#shared/http/csv-body';
import { serviceErrorOf } from '../../support/service-error.ts';

const read = (contentType: string | undefined, body = 'YQ==', isBase64Encoded = true) =>
  readCsv({ body, isBase64Encoded, headers: { 'content-type': contentType } });

describe('a body of CSV', () => {
  it.each(['text/csv', 'Text/CSV; charset=utf-8', 'application/octet-stream'])(
    'is taken as %s',
    (contentType) => {
      expect(read(contentType)).toBe('a');
      expect(read(contentType, 'a', false)).toBe('a');
    },
  );

  it.each([undefined, '', 'text/plain', 'application/json', 'multipart/form-data', 'text/csvx'])(
    'is not taken as %s, which a form of another site could send',
    async (contentType) => {
      expect((await serviceErrorOf(() => read(contentType))).code).toBe('unsupported_content_type');
    },
  );
});
