import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  builtFileOf,
  jsonFileResponse,
  openBuiltFile,
  takesEncoding,
  textFileResponse,
} from '#shared/endpoints/built-file';

const file = builtFileOf('{"openapi":"3.1.1"}');

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
      body: file.text,
    });
  });

  it.each(['gzip', 'deflate, GZIP;q=0.5, br', 'gzip, deflate, br, zstd'])(
    'is compressed for who takes %j',
    (acceptEncoding) => {
      const response = jsonFileResponse(file, { 'accept-encoding': acceptEncoding });

      expect(response.statusCode).toBe(200);
      expect(response.headers).toMatchObject({ 'Content-Encoding': 'gzip' });
      expect(response.isBase64Encoded).toBe(true);
      expect(`${gunzipSync(Buffer.from(response.body, 'base64'))}`).toBe(file.text);
    },
  );

  it.each(['', 'br', 'identity', 'gzip;q=0', 'gzip; q=0.0, br'])(
    'is not compressed for who takes %j',
    (acceptEncoding) => {
      const response = jsonFileResponse(file, { 'accept-encoding': acceptEncoding });

      expect(response.headers).not.toHaveProperty('Content-Encoding');
      expect(response.body).toBe(file.text);
    },
  );

  it.each([file.etag, file.etag.slice(2), `"other", ${file.etag}`, '*'])(
    'is not sent again to who has %s',
    (ifNoneMatch) => {
      const response = jsonFileResponse(file, { 'if-none-match': ifNoneMatch });

      expect(response).toMatchObject({ statusCode: 304, headers: { ETag: file.etag }, body: '' });
    },
  );

  it('is sent to who has another one', () => {
    const other = builtFileOf('{}');

    const response = jsonFileResponse(file, { 'if-none-match': other.etag });

    expect(response.statusCode).toBe(200);
  });

  it('may be text, which no browser takes for anything else', () => {
    const { headers } = textFileResponse(builtFileOf('# A list'), {});

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
    const read = openBuiltFile('llms.txt', (text) => ({ text }));
    writeFileSync(join(folder, 'llms.txt'), 'one');

    const first = read();
    writeFileSync(join(folder, 'llms.txt'), 'two');

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
