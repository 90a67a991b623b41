import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod/mini';
import {
  builtFileSchema,
  compressFile,
  jsonFileResponse,
  maxAnswerBytes,
  openBuiltFile,
  takesEncoding,
  textFileResponse,
} from '#shared/endpoints/built-file';
import { serviceErrorOf } from '../../support/service-error.ts';

const text = '{"openapi":"3.1.1"}';
const file = compressFile(text);
const largeText = JSON.stringify('x'.repeat(maxAnswerBytes));
const large = compressFile(largeText);
const textIn = ({ body, isBase64Encoded = false }: { body: string; isBase64Encoded?: boolean }) =>
  isBase64Encoded ? `${gunzipSync(Buffer.from(body, 'base64'))}` : body;

describe('a built file', () => {
  it('is answered as it is, to be kept for five minutes', () => {
    const response = jsonFileResponse(file, {});

    expect(response).toEqual({
      statusCode: 200,
      headers: {
        'Content-Type': 'application/json',
        ETag: file.etag,
        'Cache-Control': 'public, max-age=300',
        Vary: 'Accept-Encoding',
      },
      body: text,
    });
  });

  it.each(['gzip', 'deflate, GZIP;q=0.5, br', 'gzip, deflate, br, zstd'])(
    'is compressed for who takes %j',
    (acceptEncoding) => {
      const response = jsonFileResponse(file, { 'accept-encoding': acceptEncoding });

      expect(response.statusCode).toBe(200);
      expect(response.headers).toMatchObject({ 'Content-Encoding': 'gzip' });
      expect(response.isBase64Encoded).toBe(true);
      expect(`${gunzipSync(Buffer.from(response.body, 'base64'))}`).toBe(text);
    },
  );

  it.each(['', 'br', 'identity', 'gzip;q=0', 'gzip; q=0.0, br'])(
    'is not compressed for who takes %j',
    (acceptEncoding) => {
      const response = jsonFileResponse(file, { 'accept-encoding': acceptEncoding });

      expect(response.headers).not.toHaveProperty('Content-Encoding');
      expect(response.body).toBe(text);
    },
  );

  it.each([undefined, 'gzip', 'br, *', '*;q=0.1', 'deflate, gzip;q=0.5'])(
    'that is large is only ever sent compressed, also for Accept-Encoding %j',
    (acceptEncoding) => {
      const response = jsonFileResponse(large, { 'accept-encoding': acceptEncoding });

      expect(response.headers).toMatchObject({ 'Content-Encoding': 'gzip' });
      expect(response.body.length).toBeLessThan(maxAnswerBytes);
      expect(textIn(response)).toBe(largeText);
    },
  );

  it.each(['', 'identity', 'br', 'gzip;q=0', 'gzip;q=0, *', '*;q=0', 'identity, *;q=0'])(
    'that is large is refused to who takes %j',
    async (acceptEncoding) => {
      const error = await serviceErrorOf(() =>
        jsonFileResponse(large, { 'accept-encoding': acceptEncoding }),
      );

      expect(error.code).toBe('encoding_not_acceptable');
      expect(error.message).toContain('curl --compressed');
    },
  );

  it('is stored compressed', () => {
    const stored = JSON.stringify(large);

    expect(stored.length).toBeLessThan(2_000);
    expect(builtFileSchema.parse(JSON.parse(stored))).toEqual(large);
  });

  it.each([file.etag, file.etag.slice(2), `"other", ${file.etag}`, '*'])(
    'is not sent again to who has %s',
    (ifNoneMatch) => {
      const response = jsonFileResponse(file, { 'if-none-match': ifNoneMatch });

      expect(response).toMatchObject({ statusCode: 304, headers: { ETag: file.etag }, body: '' });
    },
  );

  it('is sent to who has another one', () => {
    const other = compressFile('{}');

    const response = jsonFileResponse(file, { 'if-none-match': other.etag });

    expect(response.statusCode).toBe(200);
  });

  it('may be text, which no browser takes for anything else', () => {
    const { headers } = textFileResponse(compressFile('# A list'), {});

    expect(headers).toMatchObject({
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=300',
    });
  });

  it('is read once, at the first request', () => {
    const folder = mkdtempSync(join(tmpdir(), 'built-file-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
      vi.unstubAllEnvs();
    });
    vi.stubEnv('BUILT_FILES_FOLDER', folder);
    const read = openBuiltFile('llms.txt', z.object({ text: z.string() }));
    writeFileSync(join(folder, 'llms.txt'), '{"text":"one"}');

    const first = read();
    writeFileSync(join(folder, 'llms.txt'), '{"text":"two"}');

    expect(first.text).toBe('one');
    expect(read()).toBe(first);
  });
});

it.each(['br', 'gzip, BR', 'gzip ; q=0.5, br ; q=0.001', 'br;q=1.000'])(
  'compresses with Brotli for Accept-Encoding %j',
  (accepted) => {
    expect(takesEncoding('br', accepted)).toBe(true);
  },
);

it.each(['', 'gzip', '*', 'brotli', 'br;q=0', 'br;q=0.', 'br; q=0.0', 'gzip, br;Q=0.000'])(
  'does not compress with Brotli for Accept-Encoding %j',
  (accepted) => {
    expect(takesEncoding('br', accepted)).toBe(false);
  },
);
