import * as z from 'zod/mini';
import type { Parameters } from '#shared/endpoints/request-parts';
import { ServiceError } from '#shared/errors/service-error';
import { takesEncoding } from '#shared/http/built-file';
import type { HttpResponse } from '#shared/http/http-response';
import type { endpoint } from './endpoint.ts';

const consoleFileSchema = z.object({
  contentType: z.string(),
  text: z.string(),
  gzip: z.string(),
  br: z.string(),
});
export type ConsoleFile = Readonly<z.infer<typeof consoleFileSchema>>;

const consoleFilesSchema = z.object({
  /** The page that every address of the console answers. */
  shell: consoleFileSchema,
  /** Scripts and styles, by names that their content decides. */
  assets: z.record(z.string(), consoleFileSchema),
});
export type ConsoleFiles = Readonly<z.infer<typeof consoleFilesSchema>>;

export const consoleFilesOf = (json: string): ConsoleFiles =>
  consoleFilesSchema.parse(JSON.parse(json));

type ConsoleRequest = Parameters<typeof endpoint>;

/** Answers a file under `assets/`, and everywhere else the shell: the app does its own routing. */
export function showConsole(
  { path: { proxy: below }, headers }: ConsoleRequest,
  { shell, assets }: ConsoleFiles,
): HttpResponse {
  if (!below?.startsWith(assetsFolder)) return fileResponse(shell, headers, shellHeaders);
  const name = below.slice(assetsFolder.length);
  const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
  // A page from before a deployment asks for the files of its own version.
  if (asset === undefined) {
    throw new ServiceError('endpoint_not_found', 'The console has no such file. Reload the page.');
  }
  return fileResponse(asset, headers, assetHeaders);
}

const assetsFolder = 'assets/';

const always = {
  Vary: 'Accept-Encoding',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Its name changes with its content. */
const assetHeaders = { ...always, 'Cache-Control': 'public, max-age=31536000, immutable' };

// Nothing inline, nothing from third parties, and text never becomes markup or script (Trusted Types).
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  // Template previews, which have their own policy. A link in one can't leave the site.
  "frame-src 'self'",
  // Previews are posted by a form into a frame.
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** It names the files of the latest version, so it's revalidated each time. */
const shellHeaders = {
  ...always,
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  // The app's requests need their `Origin`; other sites learn nothing about addresses here.
  'Referrer-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
};

function fileResponse(
  { contentType, text, ...encoded }: ConsoleFile,
  { 'accept-encoding': acceptEncoding = '' }: ConsoleRequest['headers'],
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  const all = { 'Content-Type': contentType, ...headers };
  const encoding = (['br', 'gzip'] as const).find((one) => takesEncoding(one, acceptEncoding));
  if (encoding === undefined) return { statusCode: 200, headers: all, body: text };
  return {
    statusCode: 200,
    headers: { ...all, 'Content-Encoding': encoding },
    body: encoded[encoding],
    isBase64Encoded: true,
  };
}
