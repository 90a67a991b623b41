import { ServiceError } from '#shared/errors/service-error';
import type { ConsoleFile, ConsoleFiles } from '#shared/http/console-files';
import { takesEncoding } from '#shared/http/content-encoding';
import type { HttpResponse } from '#shared/http/http-response';
import type { ConsoleHeaders } from './endpoint.ts';

/**
 * Answers a file of the app under `assets/`, and everywhere else its shell, as the app does its own routing.
 *
 * @param below the path below `/console/`.
 * @throws ServiceError `endpoint_not_found` for an unknown file, as after a new deployment.
 */
export function showConsole(
  below: string | undefined,
  { shell, assets }: ConsoleFiles,
  headers: ConsoleHeaders,
): HttpResponse {
  if (!below?.startsWith(assetsFolder)) return fileResponse(shell, headers, shellHeaders);
  const name = below.slice(assetsFolder.length);
  const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
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
  { 'accept-encoding': acceptEncoding = '' }: ConsoleHeaders,
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
