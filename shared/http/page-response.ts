import { pageStyleHash } from '#shared/pages/page-style';
import type { HttpResponse } from './http-response.ts';

// Chromium applies form-action to the redirects of a form too, so the answer to one of these forms
// is a page, or a redirect within this origin (https://github.com/w3c/webappsec-csp/issues/8).
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

/** What every page is answered with. No referrer passes on the token that its URL may have. */
export const pageHeaders = (styleHash: string): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentSecurityPolicy(styleHash),
  // Browsers send `Origin: null` with forms of such a page: don't check the origin of its posts.
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
});

/** Answers a hosted page. The token in its URL is a secret: no cache keeps it. */
export const pageResponse = (statusCode: number, page: string): HttpResponse => ({
  statusCode,
  headers: { ...pageHeaders(pageStyleHash), 'Cache-Control': 'no-store' },
  body: page,
});
