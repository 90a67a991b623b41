import * as z from 'zod/mini';
import { type HttpResponse, jsonResponse } from '#shared/http/http-response';
import type { Endpoint } from './endpoint.ts';

/** An answer with headers, or a status, of its own. */
export class WithHeaders<Body> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;

  /** Among the endpoint's successes; by default the first. */
  readonly status: number | undefined;

  constructor(body: Body, headers: Readonly<Record<string, string>>, status?: number) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}

/**
 * As the endpoint's first declared success, unless the answer names another: as JSON, or as text if its schema or
 * headers say so. Pages and built files don't come through here.
 */
export function answer({ answers }: Endpoint, answered: unknown): HttpResponse {
  const {
    body,
    headers,
    status: own,
  } = answered instanceof WithHeaders ? answered : new WithHeaders(answered, {});
  const success = Object.entries(answers).find(
    ([status]) => own === undefined || Number(status) === own,
  );
  if (success === undefined) throw new Error('An endpoint without this answer');
  const [status, { body: schema }] = success;
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
