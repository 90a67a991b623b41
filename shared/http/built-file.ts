import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { takesEncoding } from './content-encoding.ts';
import type { HttpResponse } from './http-response.ts';

/** What the caller of a built file has seen of it, and takes. */
export const builtFileHeadersSchema = z.object({
  'if-none-match': z.optional(z.string()),
  'accept-encoding': z.optional(z.string()),
});
export type BuiltFileHeaders = z.infer<typeof builtFileHeadersSchema>;

export type BuiltFile = {
  readonly text: string;
  /** In base64. */
  readonly gzipped: string;
  readonly etag: string;
};

/** Opens a file that was made together with the function. It is read at the first request. */
export function openBuiltFile(folder: string, name: string): () => BuiltFile {
  let file: BuiltFile | undefined;
  return () => {
    file ??= builtFileOf(readFileSync(join(folder, name), 'utf8'));
    return file;
  };
}

/** The tag is weak: the gzipped bytes are others than the plain ones (RFC 9110 §8.8.3.3). */
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

/** Answers a file: 304 if the caller has it, else gzipped if the caller takes that. */
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
