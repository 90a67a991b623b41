import * as z from 'zod/mini';
import {
  type Authentication,
  admitCaller,
  admitSession,
  type Caller,
} from '#shared/access/authenticate';
import { limitChanges } from '#shared/access/limit-organization';
import { requireScope } from '#shared/access/scopes';
import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import {
  type HttpRequest,
  httpEndpoint,
  type RenderError,
  renderProblem,
} from '#shared/http/http-endpoint';
import type { CronGate, OperatorGate } from '#shared/http/shared-secret';
import { answer, type WithHeaders } from './answer.ts';
import {
  type Access,
  type AnswerTo,
  type CallerOf,
  type Endpoint,
  type EndpointWithProblems,
  type KeyAccess,
  type Operator,
  type Parts,
  type RequestTo,
  scopesOf,
} from './endpoint.ts';
import { openRefusalNotes } from './note-refusals.ts';
import { readBody, readParts } from './request-parts.ts';

export type Surroundings = Pick<HttpRequest, 'log' | 'source'>;

type AdmissionTo<A extends Access> = A extends KeyAccess | 'session'
  ? Authentication
  : A extends 'operator_secret'
    ? OperatorAdmission
    : A extends 'cron_secret'
      ? CronAdmission
      : object;
type OperatorAdmission = { readonly admitOperator: OperatorGate };
type CronAdmission = { readonly admitCron: CronGate };

/** Members that admit callers, among others that the operation uses. */
type Admitting = Partial<Authentication & OperatorAdmission & CronAdmission> & {
  readonly [member: string]: unknown;
};

/** Where the answer has no body, the operation returns nothing. */
type Answered<E extends Endpoint> =
  | Promise<AnswerTo<E> | WithHeaders<AnswerTo<E>>>
  | (undefined extends AnswerTo<E> ? Promise<void> : never);

// `@__PURE__`: else bundles that use one server would have both.

/** Serves endpoints whose errors look like that: see `serve`. */
export const serverOf =
  <Served extends Endpoint>(render: RenderError) =>
  <const E extends Served, Capability extends Admitting>(
    endpoint: E,
    capability: Capability & AdmissionTo<E['access']>,
    run: (request: RequestTo<E> & Surroundings, capability: NoInfer<Capability>) => Answered<E>,
  ) => {
    const limit = limitedBy(endpoint, capability);
    const noting = openRefusalNotes(capability);
    return httpEndpoint(
      (request, event) =>
        noting(request, async ({ onKey }) => {
          const caller = await admit(endpoint, request, { ...capability, onKey });
          const parts = readParts(endpoint, request, event);
          await limit(caller);
          const { log, source } = request;
          return answer(endpoint, await run({ ...parts, caller, log, source }, capability));
        }),
      render,
    );
  };

/**
 * Serves an endpoint, always in this order: admit the caller, check the request, run, answer by the declared schema. So
 * a stranger learns nothing about a request, not even whether its body is JSON. A change counts towards its
 * organization's day once it's well-formed.
 *
 * It takes what the operation and its callers' admission use, then the operation, which returns the body of the answer.
 */
export const serve = /* @__PURE__ */ serverOf<EndpointWithProblems>(renderProblem);

function limitedBy({ isLimited }: Endpoint, { apiKeys, now }: Admitting) {
  if (!isLimited || apiKeys === undefined || now === undefined) return async () => {};
  const { ORGANIZATION_LIMITS } = parseEnvironment(
    z.pick(limitsEnvironment, { ORGANIZATION_LIMITS: true }),
  );
  return async (caller: Caller | Operator | undefined) => {
    // What a test key changes isn't real, and must not use up what real changes need.
    if (caller === undefined || !('apiKey' in caller) || caller.apiKey.test) return;
    await limitChanges(caller, ORGANIZATION_LIMITS, { apiKeys, now });
  };
}

/** A request whose caller isn't admitted yet. */
export type UnadmittedRequest<E extends Endpoint> = Unadmitted & {
  readonly readParts: () => Parts<E>;
};
type Unadmitted = HttpRequest & {
  /** The API key or session that is presented, as text. */
  readonly credential: string | undefined;
  /** Reads the body, not yet by the endpoint's schema. */
  readonly readBody: () => unknown;
};

/** Serves endpoints whose errors look like that: see `serveUnadmitted`. */
export const unadmittedServerOf =
  <Served extends Endpoint>(render: RenderError) =>
  <const E extends Served, Capability extends Authentication>(
    endpoint: E,
    capability: Capability,
    run: (request: UnadmittedRequest<E>, capability: NoInfer<Capability>) => Answered<E>,
  ) => {
    const noting = openRefusalNotes(capability);
    return httpEndpoint(
      (request, event) =>
        noting(request, async (told) => {
          const unadmitted = {
            ...request,
            credential: presentedCredential(request.headers),
            readBody: () => readBody(endpoint, request, event),
            readParts: () => readParts(endpoint, request, event),
          };
          return answer(endpoint, await run(unadmitted, { ...capability, ...told }));
        }),
      render,
    );
  };

/**
 * For operations that admit callers themselves. The two that send and the timeline read key and data in one round trip
 * instead of two; sign-in and sign-out change the key that they admit.
 */
export const serveUnadmitted =
  /* @__PURE__ */ unadmittedServerOf<EndpointWithProblems>(renderProblem);

async function admit<const E extends Endpoint>(
  { access }: E,
  { headers }: HttpRequest,
  admitting: Admitting,
): Promise<CallerOf<E['access']>> {
  const caller = await admittedBy(access, headers, admitting);
  if (isCallerOf<E['access']>(access, caller)) return caller;
  throw unadmittable();
}

const isCallerOf = <A extends Access>(access: Access, caller: unknown): caller is CallerOf<A> =>
  access === 'anybody' || access === 'cron_secret' || isOptional(access) || caller !== undefined;

const isOptional = (access: Access): boolean =>
  typeof access !== 'string' && access.key === 'optional';

async function admittedBy(
  access: Access,
  headers: HttpRequest['headers'],
  { apiKeys, now, onKey, admitOperator, admitCron }: Admitting,
): Promise<Caller | Operator | undefined> {
  if (access === 'anybody') return undefined;
  if (access === 'operator_secret' && admitOperator !== undefined) {
    return admitOperator(headers['x-operator-secret']);
  }
  if (access === 'cron_secret' && admitCron !== undefined) {
    await admitCron(headers['x-cron-secret']);
    return undefined;
  }
  if (apiKeys === undefined || now === undefined) throw unadmittable();
  const credential = presentedCredential(headers);
  if (access === 'session') return admitSession(credential, { apiKeys, now });
  if (typeof access === 'string') throw unadmittable();
  if (isOptional(access) && credential === undefined) return undefined;
  const authentication = { apiKeys, now, ...(onKey && { onKey }) };
  const caller = await admitCaller(credential, authentication, access);
  const { scopeOfTestKeys } = access;
  const ofTestKey = caller.apiKey.test && scopeOfTestKeys !== undefined;
  requireScope(caller.apiKey, ...(ofTestKey ? [scopeOfTestKeys] : scopesOf(access)));
  return caller;
}

const unadmittable = () => new Error('The endpoint can admit nobody');
