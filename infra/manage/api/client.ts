import * as z from 'zod/mini';
import type { Input, Route } from '../../../functions/api.ts';
import { type ExitCode, exitCodes, Failure } from '../failure.ts';
import type { Suggest } from '../suggestion.ts';
import {
  type AnswerOf,
  type EntryOf,
  isAnswer,
  type ListRoute,
  type Page,
  type RouteAnswering,
  unknownAnswer,
} from './answers.ts';
import { inCommands } from './command-words.ts';

export type Query = Readonly<Record<string, string | undefined>>;

type Request = {
  readonly path?: Readonly<Record<string, string | undefined>>;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as CSV, anything else as JSON. */
  readonly body?: unknown;
};

/** The path has the route's values filled in. The service checks the query and body that people type. */
type Requested<R extends Route> =
  Input<R> extends { readonly path: infer Path extends NonNullable<Request['path']> }
    ? [request: Omit<Request, 'path'> & { readonly path: Path }]
    : [request?: Omit<Request, 'path'>];

export type ApiClient = {
  ask<R extends RouteAnswering<object>>(route: R, ...requested: Requested<R>): Promise<AnswerOf<R>>;
  tell<R extends RouteAnswering<undefined>>(route: R, ...requested: Requested<R>): Promise<void>;
  list<R extends ListRoute>(route: R, query: Query, path?: Query): Promise<Page<EntryOf<R>>>;
  /** For what people type, path included: see `actions.ts`. */
  askAsGiven<R extends RouteAnswering<object>>(route: R, request: Request): Promise<AnswerOf<R>>;
  tellAsGiven(route: RouteAnswering<undefined>, request: Request): Promise<void>;
  /** Also returns the cursor of the next file (`Link`, RFC 8288). */
  download<R extends RouteAnswering<string>>(
    route: R,
    ...requested: Requested<R>
  ): Promise<{ readonly text: string; readonly nextCursor: string | undefined }>;
};

type ApiClientOptions = {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly sleep: (ms: number) => Promise<void>;
  readonly whenSilent: string;
  readonly suggest: Suggest;
};

/** Longer than any of the API's functions may take. */
const timeoutMs = 35_000;

export const createApiClient = (options: ApiClientOptions): ApiClient => ({
  ask: (route, ...[request]) => askFor(options, route, request),
  askAsGiven: (route, request) => askFor(options, route, request),
  list: (route, query, path = {}) => askFor(options, route, { path, query }),
  tell: (route, ...[request]) => tell(options, route, request),
  tellAsGiven: (route, request) => tell(options, route, request),
  async download(route, ...[request]) {
    const { body, url, response } = await succeed(options, route, request);
    const isCsv = /^text\/csv\b/i.test(response.headers.get('content-type') ?? '');
    if (isCsv && typeof body === 'string') {
      return { text: body, nextCursor: linkedCursor(response) };
    }
    throw unknownAnswer(`${url.origin}${url.pathname} didn't answer with a CSV file.`);
  },
});

/** The type is the caller's: all fields of an answer may be missing. */
async function askFor<Asked>(
  options: ApiClientOptions,
  route: Route,
  request?: Request,
): Promise<Asked> {
  const { body, url } = await succeed(options, route, request);
  if (isAnswer<Asked>(body)) return body;
  throw unknownAnswer(`${url.origin}${url.pathname} didn't answer with a JSON object.`);
}

async function tell(options: ApiClientOptions, route: Route, request?: Request): Promise<void> {
  const { url, response } = await succeed(options, route, request);
  // A captive portal or a parked domain answers anything with 200.
  if (response.status !== 204) {
    throw unknownAnswer(`${url.origin}${url.pathname} didn't confirm the change.`);
  }
}

async function succeed(
  options: ApiClientOptions,
  route: Route,
  { path = {}, query = {}, headers = {}, body }: Request = {},
) {
  const [method = '', template = ''] = route.split(' ');
  const filled = template.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const url = new URL(filled, options.baseUrl);
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(key, value);
  }
  const response = await onceAdmitted(options, () => send(options, url, method, { headers, body }));
  const answer = await readBody(response, url);
  if (!response.ok) throw toApiProblem(response, answer, options.suggest);
  return { body: answer, url, response };
}

/** Milliseconds. In a new account, a management route takes five requests a second. */
const pausesWhenThrottled = [500, 1_000, 2_000, 4_000] as const;

/**
 * API Gateway throttles a request before any function sees it, so any request can be repeated. Its answer has no
 * problem details and no `Retry-After`; the service's own 429 has both, and is for the caller to handle.
 */
async function onceAdmitted(
  { sleep }: Pick<ApiClientOptions, 'sleep'>,
  ask: () => Promise<Response>,
): Promise<Response> {
  for (const pause of pausesWhenThrottled) {
    const response = await ask();
    if (response.status !== 429 || response.headers.has('retry-after')) return response;
    await response.body?.cancel();
    await sleep(pause);
  }
  return ask();
}

async function send(
  { fetch, headers, whenSilent }: ApiClientOptions,
  url: URL,
  method: string,
  { headers: own, body }: Required<Pick<Request, 'headers'>> & Pick<Request, 'body'>,
): Promise<Response> {
  try {
    return await fetch(url, {
      method,
      headers: { ...own, ...headers, ...contentOf(body).headers },
      ...(body !== undefined && { body: contentOf(body).text }),
      // A redirect would send the key wherever it points.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch {
    throw noAnswer(`No answer from ${url.origin}. ${whenSilent}`);
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
    throw noAnswer(`The answer from ${url.origin} was cut off. Check whether the change was made.`);
  }
}

function linkedCursor({ headers, url }: Response): string | undefined {
  const link = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  const target = link === undefined ? null : URL.parse(link, url);
  return target?.searchParams.get('cursor') ?? undefined;
}

const noAnswer = (message: string): Failure =>
  new Failure(exitCodes.unavailable, 'no_answer', message);

const problemSchema = z.object({
  code: z.string(),
  detail: z.string(),
  requestId: z.optional(z.string()),
  errors: z._default(z.array(z.object({ path: z.string(), message: z.string() })), []),
});
type Problem = z.output<typeof problemSchema>;

export class ApiProblem extends Failure {
  /** From `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  readonly #status: number;
  readonly #problem: Problem;
  readonly #suggest: Suggest;

  constructor(status: number, problem: Problem, suggest: Suggest, retryAfterSeconds?: number) {
    super(exitCodeOf(status), problem.code, problem.detail);
    this.retryAfterSeconds = retryAfterSeconds;
    this.#status = status;
    this.#problem = problem;
    this.#suggest = suggest;
  }

  /** With each faulty field named where people find it, such as in a file. */
  where(placeOf: (path: string) => string): ApiProblem {
    const errors = this.#problem.errors.map(({ path, message }) => ({
      path: placeOf(path),
      message,
    }));
    return new ApiProblem(this.#status, { ...this.#problem, errors }, this.#suggest);
  }

  override toJson(): Readonly<Record<string, unknown>> {
    return { ...this.#problem, status: this.#status, exitCode: this.exitCode };
  }

  override lines(): readonly string[] {
    const { code, detail, requestId, errors } = this.#problem;
    return [
      // The detail repeats the first error.
      code === 'validation_failed' && errors.length > 0
        ? "The request isn't valid."
        : inCommands(detail),
      ...errors.map(({ path, message }) => `  ${path}: ${message}`),
      ...(hints.get(code)?.(this.#suggest) ?? []).map((hint) => `  → ${hint}`),
      `  ${[code, requestId && `request ${requestId}`].filter(Boolean).join(', ')}`,
    ];
  }
}

type Hints = (suggest: Suggest) => readonly string[];

const hints: ReadonlyMap<string, Hints> = new Map<string, Hints>([
  ['identity_not_found', (suggest) => [suggest('identity set --domain … --from-email …')]],
  [
    'suppression_not_found',
    (suggest) => [
      `To lift an unsubscribe too: ${suggest('suppressions lift … --reason unsubscribe')}`,
    ],
  ],
  ['invalid_api_key', () => ['The key is read from --key-file, else from EMAIL_SERVICE_KEY.']],
]);

/** Problem details (RFC 9457), or HTTP API's own format. */
function toApiProblem(response: Response, body: unknown, suggest: Suggest): ApiProblem {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const problem = z.safeParse(problemSchema, body);
  if (problem.success) {
    const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
    const retryAfter = Number.isNaN(seconds) ? undefined : seconds;
    return new ApiProblem(response.status, { requestId, ...problem.data }, suggest, retryAfter);
  }
  const detail = `${response.url} answered ${response.status} without saying why.`;
  const code = `http_${response.status}`;
  return new ApiProblem(response.status, { code, detail, requestId, errors: [] }, suggest);
}

function exitCodeOf(status: number): ExitCode {
  if (status === 400 || status === 413 || status === 422) return exitCodes.usage;
  if (status === 401 || status === 403) return exitCodes.denied;
  if (status === 404) return exitCodes.notFound;
  if (status === 409 || status === 412) return exitCodes.conflict;
  if (status === 429 || status >= 500) return exitCodes.unavailable;
  return exitCodes.failed;
}
