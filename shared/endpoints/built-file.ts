import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { builtFileEnvironment, parseEnvironment } from '#shared/config/environment';
import type { HttpResponse } from '#shared/http/http-response';
import type { BuiltFileName } from './lambda.ts';

export const builtFileHeadersSchema = z.object({
  'if-none-match': z.optional(z.string()),
  'accept-encoding': z.optional(z.string()),
});
type BuiltFileHeaders = z.infer<typeof builtFileHeadersSchema>;

export type BuiltFile = {
  readonly text: string;
  readonly gzipped: string;
  readonly etag: string;
};

/** Built together with the function; read and parsed at the first request. */
export function openBuiltFile<File>(
  name: BuiltFileName,
  parse: (text: string) => File,
): () => File {
  const { BUILT_FILES_FOLDER } = parseEnvironment(builtFileEnvironment);
  let file: File | undefined;
  return () => {
    file ??= parse(readFileSync(join(BUILT_FILES_FOLDER, name), 'utf8'));
    return file;
  };
}

/** The tag is weak, because gzipped and plain bytes differ (RFC 9110 §8.8.3.3). */
export const builtFileOf = (text: string): BuiltFile => ({
  text,
  gzipped: gzipSync(text).toString('base64'),
  etag: `W/"${createHash('sha256').update(text).digest('base64url')}"`,
});

export const jsonFileResponse = (file: BuiltFile, headers: BuiltFileHeaders): HttpResponse =>
  builtFileResponse(file, headers, { 'Content-Type': 'application/json' });

export const textFileResponse = (file: BuiltFile, headers: BuiltFileHeaders): HttpResponse =>
  builtFileResponse(file, headers, {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  });

/** 304 if the caller has the file; otherwise the file, gzipped if the caller accepts that. */
export function builtFileResponse(
  { text, gzipped, etag }: BuiltFile,
  { 'if-none-match': ifNoneMatch = '', 'accept-encoding': acceptEncoding = '' }: BuiltFileHeaders,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  const caching = {
    ETag: etag,
    'Cache-Control': 'public, max-age=300',
    Vary: 'Accept-Encoding',
  };
  if (names(ifNoneMatch, etag)) return { statusCode: 304, headers: caching, body: '' };
  const all = { ...headers, ...caching };
  if (!takesEncoding('gzip', acceptEncoding)) {
    return { statusCode: 200, headers: all, body: text };
  }
  return {
    statusCode: 200,
    headers: { ...all, 'Content-Encoding': 'gzip' },
    body: gzipped,
    isBase64Encoded: true,
  };
}

/** Compares weakly (RFC 9110 §13.1.2). */
const names = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag.replace(/^W\//, ''));

/** By RFC 9110 §12.5.3; a quality of 0 is a no. `*` doesn't count: clients that want an encoding name it. */
export const takesEncoding = (encoding: 'br' | 'gzip', acceptEncoding: string): boolean =>
  acceptEncoding.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
