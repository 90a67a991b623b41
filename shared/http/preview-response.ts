import type { HttpResponse } from './http-response.ts';

// What is shown may be anybody's HTML, and stands on our own origin. `sandbox` gives it an origin of its own, in which
// no script and no form works, no `<meta http-equiv="refresh">`, no window opens, and nothing outside of the frame is
// navigated. Its pictures and fonts load as in a mail client, and say so to whoever has them.
const contentSecurityPolicy = [
  'sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src https: data:',
  'font-src https: data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Of HTML that isn't ours, in a frame of the console. */
export const previewHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentSecurityPolicy,
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

/** Answers HTML that isn't ours, for a frame of the console. */
export const previewResponse = (statusCode: number, page: string): HttpResponse => ({
  statusCode,
  headers: previewHeaders,
  body: page,
});
