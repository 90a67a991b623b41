/** A response in the HTTP API's payload format 2.0. */
export type HttpResponse = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded?: boolean;
};

/** A 200 with a JSON body. */
export const jsonResponse = (
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  statusCode: 200,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** A 201 with what was created. */
export const createdResponse = (
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({ ...jsonResponse(body, headers), statusCode: 201 });

/** A 202: the request is stored, and will be done in a moment. */
export const acceptedResponse = (body: unknown): HttpResponse => ({
  ...jsonResponse(body),
  statusCode: 202,
});

/** A 204: the request is done, and there is nothing to answer. */
export const noContentResponse: HttpResponse = { statusCode: 204, headers: {}, body: '' };

/** A 302 to another place, kept by no cache. */
export const redirectResponse = (url: string): HttpResponse => ({
  statusCode: 302,
  headers: { Location: url, 'Referrer-Policy': 'no-referrer' },
  body: '',
});

/** A transparent GIF of one pixel, the smallest there is, asked for anew each time. */
export const pixelResponse: HttpResponse = {
  statusCode: 200,
  headers: { 'Content-Type': 'image/gif', 'Cache-Control': 'no-store, max-age=0' },
  body: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  isBase64Encoded: true,
};
