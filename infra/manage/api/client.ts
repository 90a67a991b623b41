import * as z from 'zod/mini';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import {
  type AnswerOf,
  addressOf,
  answerSchemas,
  type EndpointName,
  type ParametersOf,
} from './endpoints.ts';
import { toApiProblem } from './problem.ts';

/** An answer as it came, and as this checkout knows it. */
export type Answer<Value> = {
  readonly body: unknown;
  readonly value: Value;
  /** The cursor of the next file, where an answer is no list (`Link`, RFC 8288). */
  readonly nextCursor: string | undefined;
};

export type Query = Readonly<Record<string, string | undefined>>;

export type ApiRequest<Name extends EndpointName> = ParametersOf<Name> & {
  readonly query?: Query;
  /** A text goes out as CSV, anything else as JSON. */
  readonly body?: unknown;
};

/** The request may be left out where the path needs no value. */
type Requested<Name extends EndpointName> =
  object extends ApiRequest<Name> ? [request?: ApiRequest<Name>] : [request: ApiRequest<Name>];

export type ApiClient = {
  /**
   * Asks an endpoint.
   *
   * @throws Failure, an `ApiProblem` when the service says why.
   */
  ask<Name extends EndpointName>(
    name: Name,
    ...requested: Requested<Name>
  ): Promise<Answer<AnswerOf<Name>>>;
};

export type ApiClientOptions = {
  readonly baseUrl: string;
  /** Which says who asks. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  /** What to do when nothing answers. */
  readonly whenSilent: string;
};

/** Longer than any function of the API may take. */
const timeoutMs = 35_000;

/** A client of the management API. */
export const openApiClient = (options: ApiClientOptions): ApiClient => ({
  async ask(name, ...[request]) {
    const { parameters, query = {}, body } = request ?? {};
    const { method, path } = addressOf(name, parameters);
    const url = new URL(path, options.baseUrl);
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(key, value);
    }
    const response = await send(options, url, method, body);
    const answer = await readBody(response, url);
    if (!response.ok) throw toApiProblem(response, answer);
    const value = understand(answerSchemas[name], answer, url);
    return { body: answer, value, nextCursor: linkedCursor(response) };
  },
});

function understand<Value>(schema: z.ZodMiniType<Value>, answer: unknown, url: URL): Value {
  const parsed = z.safeParse(schema, answer);
  if (parsed.success) return parsed.data;
  throw new Failure(
    exitCodes.failed,
    'unknown_answer',
    `${url.origin}${url.pathname} answered in a form that this checkout does not know. Use the checkout that was deployed.`,
  );
}

async function send(
  { fetch, headers, whenSilent }: ApiClientOptions,
  url: URL,
  method: string,
  body: unknown,
): Promise<Response> {
  try {
    return await fetch(url, {
      method,
      headers: { ...headers, ...contentOf(body).headers },
      ...(body !== undefined && { body: contentOf(body).text }),
      // A redirect would take the key to whoever it names.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch {
    throw noAnswer(`Nothing answers at ${url.origin}. ${whenSilent}`);
  }
}

function contentOf(body: unknown) {
  if (body === undefined) return { headers: {}, text: '' };
  return typeof body === 'string'
    ? { headers: { 'content-type': 'text/csv' }, text: body }
    : { headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) };
}

async function readBody(response: Response, url: URL): Promise<unknown> {
  const text = await textOf(response, url);
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  if (!isJson) return text === '' ? undefined : text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function textOf(response: Response, url: URL): Promise<string> {
  try {
    return await response.text();
  } catch {
    throw noAnswer(`The answer of ${url.origin} broke off. Look whether it was done.`);
  }
}

function linkedCursor({ headers, url }: Response): string | undefined {
  const link = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  const target = link === undefined ? null : URL.parse(link, url);
  return target?.searchParams.get('cursor') ?? undefined;
}

const noAnswer = (message: string): Failure =>
  new Failure(exitCodes.unavailable, 'no_answer', message);
