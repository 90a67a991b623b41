import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import * as z from 'zod';

export type HttpApiResponse = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer;
};

const headerValue = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const explicitResponse = z.object({
  statusCode: z.int().min(100).max(599),
  headers: z.record(z.string(), headerValue).default({}),
  cookies: z.array(z.string()).optional(),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});

export const gatewayMessage = (status: number, message: string): HttpApiResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
});

/** For a function's result as JSON ("Exceeded maximum allowed payload size"). */
const maximumResultBytes = 6_291_556;

/**
 * Payload format 2.0: a result with a `statusCode` is the response; any other is the body of a 200. A broken or too
 * large result is the function's fault, which HTTP API always answers with the same 500.
 */
export function interpretResult(result: unknown): HttpApiResponse {
  const json = toJson(result);
  if (json === undefined || Buffer.byteLength(json) > maximumResultBytes) return functionFault;
  const returned: unknown = JSON.parse(json);
  if (typeof returned !== 'object' || returned === null || !('statusCode' in returned)) {
    const body = typeof returned === 'string' ? returned : json;
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }
  const { data: response } = explicitResponse.safeParse(returned);
  if (response === undefined) return functionFault;
  return {
    status: response.statusCode,
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      ...lowerCaseNames(response.headers),
      ...(response.cookies && { 'set-cookie': response.cookies }),
    },
    body: response.isBase64Encoded ? Buffer.from(response.body, 'base64') : response.body,
  };
}

export const functionFault = gatewayMessage(500, 'Internal Server Error');

export function sendResponse(
  response: ServerResponse,
  { status, headers, body }: HttpApiResponse,
  requestId: string,
): void {
  response.writeHead(status, {
    ...headers,
    'content-length': Buffer.byteLength(body),
    'apigw-requestid': requestId,
  });
  response.end(body);
}

/** A function that returns nothing has returned null. */
function toJson(result: unknown): string | undefined {
  try {
    return JSON.stringify(result ?? null);
  } catch {
    return undefined;
  }
}

const lowerCaseNames = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
