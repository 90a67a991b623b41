import * as z from 'zod/mini';
import { type HttpResponse, jsonResponse } from '#shared/http/http-response';
import type { Endpoint } from './endpoint.ts';

/** An answer with headers of its own. */
export class WithHeaders<Body> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Body, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

/**
 * Answers by the first success that the endpoint declares: JSON, or text where its schema or the answer's own headers say
 * which. Other pages and built files have their own way.
 */
export function answer({ answers }: Endpoint, answered: unknown): HttpResponse {
  const [success] = Object.entries(answers);
  if (success === undefined) throw new Error('An endpoint without an answer');
  const [status, { body: schema }] = success;
  const { body, headers } =
    answered instanceof WithHeaders ? answered : { body: answered, headers: {} };
  const statusCode = Number(status);
  if (schema === undefined) return { statusCode, headers, body: '' };
  const checked = z.parse(schema, body);
  if (typeof checked === 'string' && 'Content-Type' in headers) {
    return { statusCode, headers, body: checked };
  }
  const mediaType = z.globalRegistry.get(schema)?.['contentMediaType'];
  return typeof mediaType === 'string'
    ? { statusCode, headers: { 'Content-Type': mediaType, ...headers }, body: String(checked) }
    : { ...jsonResponse(checked, headers), statusCode };
}
