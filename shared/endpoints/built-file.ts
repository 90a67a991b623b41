import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { builtFileEnvironment, parseEnvironment } from '#shared/config/environment';
import { ServiceError } from '#shared/errors/service-error';
import type { HttpResponse } from '#shared/http/http-response';
import type { BuiltFileName } from './lambda.ts';

export const builtFileHeadersSchema = z.object({
  'if-none-match': z.optional(z.string()),
  'accept-encoding': z.optional(z.string()),
});
export type BuiltFileHeaders = z.infer<typeof builtFileHeadersSchema>;

export const builtFileSchema = z.object({
  /** Base64. */
  gzip: z.string(),
  /** Weak, because gzipped and plain bytes differ (RFC 9110 §8.8.3.3). */
  etag: z.string(),
  /** Of the text. */
  bytes: z.number(),
});
export type BuiltFile = Readonly<z.infer<typeof builtFileSchema>>;

/**
 * The most that an answer to a stranger has. AWS charges for each byte, and a stranger may ask for the largest document
 * as often as its route allows: `test/infra/what-strangers-cost.test.ts`.
 */
export const maxAnswerBytes = 128 * 1_024;

/** Built together with the function; read and parsed at the first request. */
export function openBuiltFile<Schema extends z.ZodMiniType>(
  name: BuiltFileName,
  schema: Schema,
): () => z.output<Schema> {
  const { BUILT_FILES_FOLDER } = parseEnvironment(builtFileEnvironment);
  let file: z.output<Schema> | undefined;
  return () => {
    file ??= schema.parse(JSON.parse(readFileSync(join(BUILT_FILES_FOLDER, name), 'utf8')));
    return file;
  };
}

/** At bundling: in a cold start, the largest would take a tenth of a second. */
export const compressFile = (text: string): BuiltFile => ({
  gzip: gzipSync(text, { level: constants.Z_BEST_COMPRESSION }).toString('base64'),
  etag: `W/"${createHash('sha256').update(text).digest('base64url')}"`,
  bytes: Buffer.byteLength(text),
});

export const jsonFileResponse = (file: BuiltFile, headers: BuiltFileHeaders): HttpResponse =>
  builtFileResponse(file, headers, { 'Content-Type': 'application/json' });

export const textFileResponse = (file: BuiltFile, headers: BuiltFileHeaders): HttpResponse =>
  builtFileResponse(file, headers, {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  });

/**
 * 304 if the caller has the file; otherwise the file, gzipped if the caller accepts that. So is one that would be too
 * large otherwise, also for a caller who doesn't say what it accepts (RFC 9110 §12.5.3).
 *
 * @throws ServiceError `encoding_not_acceptable`
 */
export function builtFileResponse(
  { gzip, etag, bytes }: BuiltFile,
  { 'if-none-match': ifNoneMatch = '', 'accept-encoding': acceptEncoding }: BuiltFileHeaders,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  const caching = {
    ETag: etag,
    'Cache-Control': 'public, max-age=300',
    Vary: 'Accept-Encoding',
  };
  if (names(ifNoneMatch, etag)) return { statusCode: 304, headers: caching, body: '' };
  const all = { ...headers, ...caching };
  const isAskedFor = takesEncoding('gzip', acceptEncoding ?? '');
  if (!isAskedFor && bytes <= maxAnswerBytes) {
    return { statusCode: 200, headers: all, body: `${gunzipSync(Buffer.from(gzip, 'base64'))}` };
  }
  if (!isAskedFor && refusesGzip(acceptEncoding)) throw new ServiceError('encoding_not_acceptable');
  return {
    statusCode: 200,
    headers: { ...all, 'Content-Encoding': 'gzip' },
    body: gzip,
    isBase64Encoded: true,
  };
}

const refusesGzip = (acceptEncoding: string | undefined): boolean =>
  acceptEncoding !== undefined &&
  (/\bgzip\b/i.test(acceptEncoding) || !takesEncoding('*', acceptEncoding));

/** Compares weakly (RFC 9110 §13.1.2). */
const names = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag.replace(/^W\//, ''));

/** By RFC 9110 §12.5.3; a quality of 0 is a no. `*` doesn't count: clients that want an encoding name it. */
export const takesEncoding = (encoding: 'br' | 'gzip' | '*', acceptEncoding: string): boolean =>
  acceptEncoding.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
