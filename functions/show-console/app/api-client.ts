import type { Answer, Input, Route } from '../../api.ts';
import { toast } from './parts/announce.tsx';
import { askAgainWhenBusy, busyWords, tooManyRequests, unavailable } from './shared/again.ts';
import { addressWith } from './shared/paging.ts';

type Parts = {
  readonly path?: Readonly<Record<string, string | undefined>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
};

type Problem = {
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
  readonly requestId?: string;
  readonly message?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
};

export class ApiFailure extends Error {
  /** 0 if no answer came. */
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly fields: readonly { readonly path: string; readonly message: string }[];

  constructor(status: number, problem: Problem) {
    super(
      problem.detail ??
        gatewayWords[problem.message ?? ''] ??
        problem.message ??
        problem.title ??
        `The service answered ${status}.`,
    );
    this.status = status;
    this.code = problem.code;
    this.requestId = problem.requestId;
    this.fields = problem.errors ?? [];
  }
}

/** API Gateway's words, which nobody should have to read. */
const gatewayWords: Readonly<Record<string, string>> = {
  [tooManyRequests]: 'The service is busy, and nothing was done. Try again in a minute.',
  [unavailable]:
    'The service is busy. If you were changing something, check whether that went through before you try again.',
};

/**
 * The session's organization, and what to do when the session ends: `main.tsx` shows the sign-in. Only text typed into
 * a template outlives the session (`typed-template.ts`).
 */
export const session = {
  organizationId: '',
  onEnd: () => {},
  /** Asks the person for their key, and answers whether they showed it: `key-question.tsx`. */
  showKey: async (): Promise<boolean> => false,
};

/** The browser adds the session's cookie. */
export async function call<R extends Route>(
  route: R,
  input: Input<R>,
  signal?: AbortSignal,
): Promise<Answer<R>> {
  const response = await request(route, input, signal);
  await refuseFailure(response);
  if (response.status === 204) return undefined;
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  return isJson ? response.json() : response.text();
}

/** Like `call`, but also returns the answer's headers. If the service wants the key first, it's asked for. */
export async function request<R extends Route>(
  route: R,
  input: Input<R>,
  signal?: AbortSignal,
): Promise<Response> {
  const [method = '', template = ''] = route.split(' ');
  const parts: Parts = input;
  const { body } = parts;
  const isText = typeof body === 'string';
  const attempt = () =>
    send(addressOf(template, parts), {
      method,
      headers: {
        ...given(parts.headers),
        ...(body !== undefined && { 'Content-Type': isText ? 'text/csv' : 'application/json' }),
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  const first = await attempt();
  const response = (await wantsKey(first)) && (await session.showKey()) ? await attempt() : first;
  if (response.status === 401) session.onEnd();
  return response;
}

/** Such a refusal has changed nothing, so the request can be repeated. */
async function wantsKey(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const { code }: Problem = await response
    .clone()
    .json()
    .catch(() => ({}));
  return code === 'key_confirmation_required';
}

const given = (headers: Parts['headers'] = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );

/** @throws ApiFailure with status 0 if no answer comes. */
export const send = (address: string, init: RequestInit): Promise<Response> =>
  askAgainWhenBusy(() => sendOnce(address, init), {
    signal: init.signal,
    tellBusy: () => toast(busyWords),
  });

async function sendOnce(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiFailure(0, {
      detail:
        'The service can’t be reached. Check your connection. If you were changing something, check whether that went through before you try again.',
    });
  }
}

/** @throws ApiFailure unless the answer is a success. */
export async function refuseFailure(response: Response): Promise<void> {
  if (response.ok) return;
  const problem: Problem = await response.json().catch(() => ({}));
  const requestId =
    problem.requestId ??
    response.headers.get('X-Request-Id') ??
    response.headers.get('Apigw-Requestid');
  throw new ApiFailure(response.status, { ...problem, ...(requestId && { requestId }) });
}

function addressOf(template: string, { path = {}, query = {} }: Parts): string {
  const filled = template.replace(/\{(\w+)\+?\}/g, (_, name) =>
    encodeURIComponent(path[name] ?? ''),
  );
  return addressWith(filled, query);
}
