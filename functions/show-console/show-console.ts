import * as z from 'zod/mini';
import { takesEncoding } from '#shared/endpoints/built-file';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import type { HttpResponse } from '#shared/http/http-response';
import { htmlPage, scriptFile, styleFile } from '#shared/http/response-body';

const pathSchema = z.object({ proxy: z.optional(z.string()) });
const headersSchema = z.object({ 'accept-encoding': z.optional(z.string()) });
type ConsoleRequest = {
  readonly path: z.output<typeof pathSchema>;
  readonly headers: z.output<typeof headersSchema>;
};

const consoleFileSchema = z.object({
  contentType: z.string(),
  text: z.string(),
  gzip: z.string(),
  br: z.string(),
});
export type ConsoleFile = Readonly<z.infer<typeof consoleFileSchema>>;

export const consoleFilesSchema = z.object({
  /** Served at every address of the console. */
  shell: consoleFileSchema,
  /** Of the script in the shell, as a content security policy names it. */
  starterHash: z.string(),
  /** Scripts and styles, named by a hash of their content. */
  assets: z.record(z.string(), consoleFileSchema),
});
export type ConsoleFiles = Readonly<z.infer<typeof consoleFilesSchema>>;

export const endpoint = defineEndpoint(
  {
    route: ['GET /console', 'GET /console/{proxy+}'],
    access: 'anybody',
    path: pathSchema,
    unmatchedPath: 'endpoint_not_found',
    headers: headersSchema,
    answers: {
      200: { body: z.union([htmlPage, scriptFile, styleFile]), description: 'The page.' },
    },
    file: consoleFilesSchema,
    lambda: { stack: 'Console', tableActions: [], builtFile: 'console.json' },
    words: {
      section: 'Console',
      summary: 'Show the console',
      description:
        'The web app: what was sent, to whom, what became of it, and the settings. Every path below `/console` answers the same page; `/console/assets/` has the files it loads.',
      fields: {
        proxy: 'A page of the console, or one of its files.',
        'accept-encoding': 'With `br` or `gzip` the answer is compressed.',
      },
      example: { path: { proxy: 'emails' } },
    },
  },
  async (request, files) => showConsole(request, files),
);

/** Answers files under `assets/`, and the shell everywhere else: the app does its own routing. */
export function showConsole(
  { path: { proxy: below }, headers }: ConsoleRequest,
  { shell, starterHash, assets }: ConsoleFiles,
): HttpResponse {
  if (!below?.startsWith(assetsFolder)) {
    return fileResponse(shell, headers, shellHeadersOf(starterHash));
  }
  const name = below.slice(assetsFolder.length);
  const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
  // A page from before a deployment asks for its own version's files.
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

/** The name changes with the content. */
const assetHeaders = { ...always, 'Cache-Control': 'public, max-age=31536000, immutable' };

// Nothing inline but that one script, nothing from third parties, and text never becomes markup or script (Trusted
// Types).
const contentSecurityPolicyOf = (starterHash: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' '${starterHash}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    // Template previews, which have their own policy. Their links can't leave the site.
    "frame-src 'self'",
    // A form posts previews into a frame.
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Names the latest version's files, so it's revalidated each time. */
const shellHeadersOf = (starterHash: string) => ({
  ...always,
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': contentSecurityPolicyOf(starterHash),
  'Cross-Origin-Opener-Policy': 'same-origin',
  // The app's requests need their `Origin`; other sites don't learn the addresses here.
  'Referrer-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
});

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
