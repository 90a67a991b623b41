import { pageStyleHash } from '#shared/pages/page-style';
import type { HttpResponse } from './http-response.ts';

const contentSecurityPolicy = (styleHash: string) =>
  [
    "default-src 'none'",
    `style-src '${styleHash}'`,
    // The empty icon in the page, which keeps browsers from asking for /favicon.ico.
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** No referrer, which would pass on the token that the page's URL may contain. */
const pageHeaders = (styleHash: string): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentSecurityPolicy(styleHash),
  // Browsers send `Origin: null` with forms of such a page, so don't check the origin of its posts.
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
});

/** The page's URL contains a secret token, so it must not be cached. */
export const pageResponse = (statusCode: number, page: string): HttpResponse => ({
  statusCode,
  headers: { ...pageHeaders(pageStyleHash), 'Cache-Control': 'no-store' },
  body: page,
});

// A preview may be anyone's HTML, served from our origin. `sandbox` gives it a separate origin: no scripts, forms,
// `<meta http-equiv="refresh">` or windows, and no navigation outside the frame. Images and fonts load only if they
// would in a mail client, because loading them tells their hosts.
const previewPolicy = (loaded: string) =>
  [
    'sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src ${loaded}`,
    `font-src ${loaded}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');

/** For HTML that isn't ours, in a console frame. */
export const previewHeadersFor = ({
  loadsRemote,
}: {
  readonly loadsRemote: boolean;
}): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': previewPolicy(loadsRemote ? 'https: data:' : 'data:'),
  ...(!loadsRemote && { 'X-DNS-Prefetch-Control': 'off' }),
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
});
export const previewHeaders = previewHeadersFor({ loadsRemote: true });

export const previewResponse = (statusCode: number, page: string): HttpResponse => ({
  statusCode,
  headers: previewHeaders,
  body: page,
});
