export type HttpResponse = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded?: boolean;
};

export const jsonResponse = (
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  statusCode: 200,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Doesn't tell the target where the link was. */
export const redirectResponse = (url: string): HttpResponse => ({
  statusCode: 302,
  headers: { Location: url, 'Referrer-Policy': 'no-referrer' },
  body: '',
});

/** A transparent GIF of one pixel, the smallest there is, requested again each time. */
export const pixelResponse: HttpResponse = {
  statusCode: 200,
  headers: { 'Content-Type': 'image/gif', 'Cache-Control': 'no-store, max-age=0' },
  body: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  isBase64Encoded: true,
};
