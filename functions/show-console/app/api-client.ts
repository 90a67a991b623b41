import type { Answer, Input, Route } from '../../api.ts';
import { toast } from './parts/announce.tsx';
import { askAgainWhenBusy, busyWords, tooManyRequests, unavailable } from './shared/again.ts';
import { addressOf, type Parts } from './shared/request-address.ts';

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
  /** Epoch milliseconds from which the service would answer, if it said so. */
  readonly retryAt: number | undefined;

  constructor(status: number, problem: Problem, retryAt?: number) {
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
    this.retryAt = retryAt;
  }
}

/** API Gateway's words, which nobody should have to read. */
const gatewayWords: Readonly<Record<string, string>> = {
  [tooManyRequests]: 'The service is busy, and nothing was done. Try again in a minute.',
  [unavailable]:
    'The service is busy. If you were changing something, check whether that went through before you try again.',
};

type CurrentSession = {
  organizationId: string;
  scopes: readonly string[];
  /** Whether somebody signed in with their address, not with an API key. */
  isOfPerson: boolean;
  /** Whether an operator has entered the organization, for an hour at most. */
  isVisit: boolean;
  onEnd: () => void;
  /** The service refused what the page thought allowed: a role or key was changed. */
  onChange: () => void;
  /** Has the person show their key or sign in again, and answers whether they did: `proof-question.tsx`. */
  prove: () => Promise<boolean>;
};

/**
 * Whose session it is, and what to do when it ends: `main.tsx` shows the sign-in. Only text typed into a template
 * outlives the session (`typed-template.ts`).
 */
export const session: CurrentSession = {
  organizationId: '',
  scopes: [],
  isOfPerson: false,
  isVisit: false,
  onEnd: () => {},
  onChange: () => {},
  prove: async () => false,
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

/** Like `call`, but also returns the answer's headers. Asks for the key or a new sign-in if the service wants one. */
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
  const refusal = first.status === 403 ? await codeOf(first) : undefined;
  // Such a refusal has changed nothing, so the request can be repeated.
  const response = wantsProof.has(refusal) && (await session.prove()) ? await attempt() : first;
  if (response.status === 401) session.onEnd();
  if (refusal === 'missing_scope') session.onChange();
  return response;
}

const wantsProof = new Set<unknown>(['key_confirmation_required', 'recent_sign_in_required']);

async function codeOf(response: Response): Promise<string | undefined> {
  const { code }: Problem = await response
    .clone()
    .json()
    .catch(() => ({}));
  return code;
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
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const retryAt = Number.isNaN(seconds) ? undefined : Date.now() + seconds * 1_000;
  throw new ApiFailure(response.status, { ...problem, ...(requestId && { requestId }) }, retryAt);
}
