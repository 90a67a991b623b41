/** A response in the HTTP API's payload format 2.0. */
export type HttpResponse = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
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
