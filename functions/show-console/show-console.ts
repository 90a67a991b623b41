import { ServiceError } from '#shared/errors/service-error';
import type { ConsoleFile, ConsoleFiles } from '#shared/http/console-files';
import { takesEncoding } from '#shared/http/content-encoding';
import type { HttpResponse } from '#shared/http/http-response';
import type { ConsoleHeaders } from './schema.ts';

/**
 * Answers a file of the app, or, at every other address, the page that the app begins with: the app knows its
 * own addresses.
 *
 * @param below what stands below `/console/`.
 * @throws ServiceError `endpoint_not_found` when the app has no such file: a newer one is deployed.
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
    throw new ServiceError('endpoint_not_found', 'The console has no such file. Load it anew.');
  }
  return fileResponse(asset, headers, assetHeaders);
}

const assetsFolder = 'assets/';

const always = {
  Vary: 'Accept-Encoding',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Its name would be another if its content were. */
const assetHeaders = { ...always, 'Cache-Control': 'public, max-age=31536000, immutable' };

// Nothing inline, nothing of third parties, and no text ever becomes markup or script (Trusted Types).
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  // The previews of templates, which have a policy of their own. A link in one leads to no other site.
  "frame-src 'self'",
  // By a form into a frame: so comes the preview of what was typed.
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** It names the files of the latest version, so it is asked for each time. */
const shellHeaders = {
  ...always,
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Its own requests need their `Origin`; other sites learn nothing of the addresses here.
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
