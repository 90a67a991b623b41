import * as z from 'zod/mini';
import {
  type Authentication,
  admitCaller,
  admitSession,
  type Caller,
  openAuthentication,
} from '#shared/access/admit-caller';
import { authenticate, holdsSecret, parseApiKey } from '#shared/access/api-key';
import { limitChanges } from '#shared/access/limit-day';
import { requireScope } from '#shared/access/scopes';
import { requireShownKey } from '#shared/access/sign-in';
import { presentedCredential } from '#shared/http/credential';
import {
  type HttpRequest,
  httpEndpoint,
  type RenderError,
  renderProblem,
} from '#shared/http/http-endpoint';
import { type HttpResponse, jsonResponse } from '#shared/http/http-response';
import { isAllowedByIam } from '#shared/http/iam-caller';
import { isForKnownCallers, requireStrangersSize } from '#shared/http/request-body';
import { countOf } from '#shared/observability/metrics';
import type { LogFields, RequestLog } from '#shared/observability/request-log';
import type { Table } from '#shared/table/table-client';
import { declaredBody } from './declared-body.ts';
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
  WithHeaders,
} from './endpoint.ts';
import { type AnswerOf, openRefusalNotes } from './note-refusals.ts';
import { type Opener, openClockAndLimits, openFunction, openOwnTable } from './open-function.ts';
import { readOnlyBody, readParts } from './request-parts.ts';

export type Surroundings = Pick<HttpRequest, 'log' | 'source'>;

/** The operation returns nothing if the answer has no body. */
type Answered<E extends Endpoint> =
  | Promise<AnswerTo<E> | WithHeaders<AnswerTo<E>>>
  | (undefined extends AnswerTo<E> ? Promise<void> : never);

/** What every operation gets, besides what its own opener opens. */
type Given = ReturnType<typeof openClockAndLimits>;

/** What the caller's admission still asks of a well-formed request. */
type Admit = (body: unknown) => Promise<void>;

type Gate = (
  request: HttpRequest,
  work: (caller: Caller | Operator | undefined, admit: Admit) => Promise<HttpResponse>,
) => Promise<HttpResponse>;

export type CallerAdmission<Kept extends object> = {
  /** Opens what admission uses. The operation may use it too. */
  readonly open: (table: Table) => Kept;
  readonly gateOf: (endpoint: Endpoint, capability: Given & Kept) => Gate;
};

// `@__PURE__`: otherwise a bundle that uses one server would have them all.

/** Makes a server of endpoints with this kind of caller and this form of errors: see `serve`. */
export const serverOf =
  <Served extends Endpoint, Kept extends object>(
    admission: CallerAdmission<Kept>,
    render: RenderError = renderProblem,
  ) =>
  <const E extends Served, Opened extends object = never>(
    endpoint: E,
    open: Opener<E['lambda'], Opened>,
    run: (
      request: RequestTo<E> & Surroundings,
      capability: Given & Kept & NoInfer<Opened>,
    ) => Answered<E>,
    table = openOwnTable(),
  ) => {
    const opened = openFunction(endpoint.lambda, open, table);
    const capability = { ...openClockAndLimits(), ...admission.open(table), ...opened };
    const gate = admission.gateOf(endpoint, capability);
    return httpEndpoint(
      (request, event) =>
        gate(request, async (caller, admit) => {
          if (!isCallerOf<E['access']>(endpoint.access, caller)) throw unadmittable();
          if (caller === undefined) requireStrangersSize(event);
          const parts = readParts(endpoint, request, event);
          await admit('body' in parts ? parts.body : undefined);
          const { log, source } = request;
          return answer(endpoint, await run({ ...parts, caller, log, source }, capability), log);
        }),
      render,
    );
  };

/** Reads the API key that a request presents, as text. */
type ReadCredential = (headers: HttpRequest['headers']) => string | undefined;

/** Admits callers by key, and records refused requests for their organizations to see. */
export const byKey = (
  readCredential: ReadCredential = presentedCredential,
  answerOf?: AnswerOf,
): CallerAdmission<Authentication> => ({
  open: openAuthentication,
  gateOf: ({ access, isLimited }, capability) => {
    const notingRefusals = openRefusalNotes(capability, answerOf);
    return (request, work) =>
      notingRefusals(request, async ({ onSecret }) => {
        const presented = readCredential(request.headers);
        const caller = await admitFor(access, presented, { ...capability, onSecret });
        return work(caller, async (body) => {
          requireFreshSession(access, caller, body, capability.now());
          if (isLimited && caller !== undefined) await limitChanges(caller, capability);
        });
      });
  },
});

/** Endpoints for anyone, or for the holders of keys and sessions. The others have servers of their own. */
export type OfKeys = { readonly access: KeyAccess | 'session' | 'anybody' };

/**
 * Always in this order: admit the caller, check the request, run, answer by the declared schema. So a stranger learns
 * nothing about a request, not even whether its body is JSON. A change counts towards its organization's day once it's
 * well-formed.
 *
 * Takes what opens the clients and stores of the operation, then the operation, which gets what was opened and returns
 * the body of the answer.
 */
export const serve = /* @__PURE__ */ serverOf<EndpointWithProblems & OfKeys, Authentication>(
  /* @__PURE__ */ byKey(),
);

export type UnadmittedRequest<E extends Endpoint> = Unadmitted & {
  readonly readParts: () => Parts<E>;
};
type Unadmitted = HttpRequest & {
  /** The API key or session that is presented, as text. */
  readonly credential: string | undefined;
  /** By IAM, for the key in the path. */
  readonly isAllowedByIam: boolean;
  readonly readBody: () => unknown;
};

/** Makes a server with this form of errors: see `serveUnadmitted`. */
export const unadmittedServerOf =
  <Served extends Endpoint>(
    render: RenderError = renderProblem,
    readCredential: ReadCredential = presentedCredential,
    answerOf?: AnswerOf,
  ) =>
  <const E extends Served, Opened extends object = never>(
    endpoint: E,
    open: Opener<E['lambda'], Opened>,
    run: (
      request: UnadmittedRequest<E>,
      capability: Given & Authentication & NoInfer<Opened>,
    ) => Answered<E>,
  ) => {
    const table = openOwnTable();
    const opened = openFunction(endpoint.lambda, open, table);
    const capability = { ...openClockAndLimits(), ...openAuthentication(table), ...opened };
    const notingRefusals = openRefusalNotes(capability, answerOf);
    return httpEndpoint(
      (request, event) =>
        notingRefusals(request, async (told) => {
          const credential = readCredential(request.headers);
          const isByIam = isAllowedByIam(event);
          if (endpoint.body && isForKnownCallers(event) && !isByIam) {
            if (isForStranger(endpoint.access, credential)) requireStrangersSize(event);
            await requireKnownKey(credential, { ...capability, ...told });
          }
          const unadmitted = {
            ...request,
            credential,
            isAllowedByIam: isByIam,
            readBody: () => readOnlyBody(endpoint, request, event),
            readParts: () => readParts(endpoint, request, event),
          };
          return answer(endpoint, await run(unadmitted, { ...capability, ...told }), request.log);
        }),
      render,
    );
  };

/**
 * Checks the key before a large body is read: that may take a second, and a made-up key costs nothing. The operation
 * admits the caller as always.
 */
async function requireKnownKey(
  credential: string | undefined,
  { apiKeys, now, onSecret }: Authentication,
): Promise<void> {
  const presented = parseApiKey(credential);
  const found = await apiKeys.get(presented.id);
  if (holdsSecret(presented, found?.apiKey)) onSecret?.(presented.id);
  authenticate(presented, found?.apiKey, now());
}

/**
 * For operations that admit callers themselves. A plain send reads key and data in one round trip; a timeline may need
 * no key; sign-in and sign-out change the key that they admit.
 */
export const serveUnadmitted = /* @__PURE__ */ unadmittedServerOf<EndpointWithProblems>();

async function admitFor(
  access: Access,
  credential: string | undefined,
  authentication: Authentication,
): Promise<Caller | undefined> {
  if (isForStranger(access, credential)) return undefined;
  if (access === 'session') return admitSession(credential, authentication);
  if (typeof access === 'string') throw unadmittable();
  const caller = await admitCaller(credential, authentication, access);
  const { scopeOfTestKeys } = access;
  const ofTestKey = caller.apiKey.test && scopeOfTestKeys !== undefined;
  requireScope(caller.apiKey, ...(ofTestKey ? [scopeOfTestKeys] : scopesOf(access)));
  return caller;
}

/** Before the change is counted, so that a copied cookie uses up nobody's day. */
function requireFreshSession(
  access: Access,
  caller: Pick<Caller, 'session'> | undefined,
  body: unknown,
  now: number,
): void {
  if (typeof access === 'string' || caller === undefined) return;
  if (asksForKey(access, body)) requireShownKey(caller.session, now);
}

/** Whether a session must have shown its key for a request with this body. */
export function asksForKey({ freshSession = [] }: KeyAccess, body: unknown): boolean {
  if (freshSession === true) return true;
  const given = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return given.some(([name, value]) => value !== undefined && freshSession.includes(name));
}

const isCallerOf = <A extends Access>(
  access: Access,
  caller: Caller | Operator | undefined,
): caller is CallerOf<A> & (Caller | Operator | undefined) =>
  access === 'anybody' || access === 'cron_secret' || isOptional(access) || caller !== undefined;

const isForStranger = (access: Access, credential: string | undefined): boolean =>
  access === 'anybody' || (isOptional(access) && credential === undefined);

const isOptional = (access: Access): boolean =>
  typeof access !== 'string' && access.key === 'optional';

const unadmittable = () => new Error('The endpoint can admit nobody');

/**
 * Answers with the lowest success that the endpoint declares, unless the answer names another: as JSON, or as text if
 * its schema or headers say so. Pages and built files don't use this.
 *
 * The work is done, so nothing here turns it into an error: an answer that isn't as declared is sent, and raises an
 * alarm.
 */
export function answer(
  { answers }: Endpoint,
  answered: unknown,
  log: Pick<RequestLog, 'error'>,
): HttpResponse {
  const {
    body,
    headers,
    status: own,
  } = answered instanceof WithHeaders ? answered : new WithHeaders(answered, {});
  const byStatus = new Map(
    Object.entries(answers).map(([status, declared]) => [Number(status), declared]),
  );
  const lowest = Math.min(...byStatus.keys());
  const statusCode = own ?? lowest;
  const declared = byStatus.get(statusCode);
  if (declared === undefined) reportUndeclared(log, { statusCode });
  const schema = (declared ?? byStatus.get(lowest))?.body;
  if (schema === undefined) return { statusCode, headers, body: '' };
  const { body: shown, faults } = declaredBody(schema, body);
  if (faults.length > 0) reportUndeclared(log, { statusCode, answerFields: faults });
  if (typeof shown === 'string' && 'Content-Type' in headers) {
    return { statusCode, headers, body: shown };
  }
  const mediaType = z.globalRegistry.get(schema)?.['contentMediaType'];
  return typeof mediaType === 'string'
    ? { statusCode, headers: { 'Content-Type': mediaType, ...headers }, body: String(shown) }
    : { ...jsonResponse(shown, headers), statusCode };
}

function reportUndeclared(log: Pick<RequestLog, 'error'>, fields: LogFields): void {
  log.error('answer not as declared', undefined, fields, [countOf('SchemaMismatch')]);
}
