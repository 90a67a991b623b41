import * as z from 'zod/mini';
import {
  admitCaller,
  admitSession,
  type Caller,
  type Presented,
} from '#shared/access/admit-caller';
import { authenticate, holdsSecret, parseApiKey } from '#shared/access/api-key';
import { getApiKey } from '#shared/access/api-key-store';
import { limitChanges } from '#shared/access/limit-day';
import { createRefusalTally } from '#shared/access/refusal-tally';
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
import { exceedsStrangersSize, requireStrangersSize } from '#shared/http/request-body';
import { countOf } from '#shared/observability/metrics';
import type { LogFields, RequestLog } from '#shared/observability/request-log';
import type { Table, TableAndClock } from '#shared/table/table-client';
import { declaredBody } from './declared-body.ts';
import {
  type Access,
  type Endpoint,
  type KeyAccess,
  type Operator,
  type Service,
  scopesOf,
  WithHeaders,
} from './endpoint.ts';
import { type AnsweredAs, notingRefusals } from './note-refusals.ts';
import { openServiceFor } from './open-function.ts';
import { readParts, receiveBody } from './request-parts.ts';

/** An endpoint with its operation. */
export type Served = Endpoint & {
  readonly run: (request: never, service: never) => Promise<unknown>;
};

/** The types of `defineEndpoint` say what an operation gets. A server passes it on unchanged. */
export function operationOf<Result = unknown>(
  endpoint: Served,
): (request: object, service: object) => Promise<Result>;
export function operationOf({ run }: { run(request: object, service: object): Promise<unknown> }) {
  return run;
}

/** What the caller's admission still asks of a well-formed request. */
type Admit = (body: unknown) => Promise<void>;

type Gate = (
  request: HttpRequest,
  work: (caller: Caller | Operator | undefined, admit: Admit) => Promise<HttpResponse>,
) => Promise<HttpResponse>;

export type CallerAdmission = (endpoint: Endpoint, service: Service) => Gate;

// `@__PURE__`: otherwise a bundle that uses one server would have them all.

/** Makes a server of endpoints with this kind of caller and this form of errors: see `serve`. */
export const serverWith =
  (gateOf: CallerAdmission, render: RenderError = renderProblem) =>
  (endpoint: Served, table?: Table) => {
    const run = operationOf(endpoint);
    const service = openServiceFor(endpoint, table);
    const gate = gateOf(endpoint, service);
    return httpEndpoint(
      (request, event) =>
        gate(request, async (caller, admit) => {
          if (!isCallerOf(endpoint.access, caller)) throw unadmittable();
          if (caller === undefined) requireStrangersSize(event);
          const parts = readParts(endpoint, request, event);
          await admit('body' in parts ? parts.body : undefined);
          const { log, source } = request;
          return answer(endpoint, await run({ ...parts, caller, log, source }, service), log);
        }),
      endpoint.renderError ?? render,
    );
  };

/** Reads the API key that a request presents, as text. */
type ReadCredential = (headers: HttpRequest['headers']) => string | undefined;

/** Admits callers by key, and records refused requests for their organizations to see. */
export const byKey =
  (
    readCredential: ReadCredential = presentedCredential,
    answeredAs?: AnsweredAs,
  ): CallerAdmission =>
  ({ access, isLimited }, service) => {
    const noting = { ...service, tally: createRefusalTally(), answeredAs };
    return (request, work) =>
      notingRefusals(noting, request, async () => {
        const { headers, context } = request;
        const presented = { credential: readCredential(headers), context };
        const caller = await admitFor(access, presented, service);
        return work(caller, async (body) => {
          requireFreshSession(access, caller, body, service.now());
          if (isLimited && caller !== undefined) await limitChanges(caller, service.now(), service);
        });
      });
  };

/**
 * Always in this order: admit the caller, check the request, run, answer by the declared schema. So a stranger learns
 * nothing about a request, not even whether its body is JSON. A change counts towards its organization's day once it's
 * well-formed.
 */
export const serve = /* @__PURE__ */ serverWith(/* @__PURE__ */ byKey());

/** Makes a server with this form of errors: see `serveUnadmitted`. */
export const unadmittedServerWith =
  (
    render: RenderError = renderProblem,
    readCredential: ReadCredential = presentedCredential,
    answeredAs?: AnsweredAs,
  ) =>
  (endpoint: Served, table?: Table) => {
    const run = operationOf(endpoint);
    const service = openServiceFor(endpoint, table);
    const noting = { ...service, tally: createRefusalTally(), answeredAs };
    return httpEndpoint(
      (request, event) =>
        notingRefusals(noting, request, async () => {
          const credential = readCredential(request.headers);
          const isByIam = isAllowedByIam(event);
          if (endpoint.body && exceedsStrangersSize(event) && !isByIam) {
            if (isForStranger(endpoint.access, credential)) requireStrangersSize(event);
            await requireKnownKey({ ...request, credential }, service);
          }
          const unadmitted = {
            ...request,
            credential,
            isAllowedByIam: isByIam,
            readBody: () => receiveBody(endpoint, request, event),
            readParts: () => readParts(endpoint, request, event),
          };
          return answer(endpoint, await run(unadmitted, service), request.log);
        }),
      endpoint.renderError ?? render,
    );
  };

/**
 * Checks the key before a large body is read: that may take a second, and a made-up key costs nothing. The operation
 * admits the caller as always.
 */
async function requireKnownKey(
  { credential, context }: Presented,
  { table, now }: TableAndClock,
): Promise<void> {
  const presented = parseApiKey(credential);
  const found = await getApiKey(table, presented.id);
  if (holdsSecret(presented, found?.apiKey)) {
    context.apiKeyId = presented.id;
    context.keepsRefusedShapes = found?.keepRefusedShapes;
  }
  authenticate(presented, found?.apiKey, now());
}

/** For endpoints that admit callers in their operation. */
export const serveUnadmitted = /* @__PURE__ */ unadmittedServerWith();

async function admitFor(
  access: Access,
  presented: Presented,
  service: TableAndClock,
): Promise<Caller | undefined> {
  if (isForStranger(access, presented.credential)) return undefined;
  if (access === 'session') return admitSession(presented, service);
  if (typeof access === 'string') throw unadmittable();
  const caller = await admitCaller(presented, service, access);
  const { scopeOfTestKeys } = access;
  const ofTestKey = caller.apiKey.test && scopeOfTestKeys !== undefined;
  requireScope(caller.apiKey, ...(ofTestKey ? [scopeOfTestKeys] : scopesOf(access)));
  return caller;
}

/** Before the change is counted, so that a copied cookie can't use up the day. */
function requireFreshSession(
  access: Access,
  caller: Pick<Caller, 'session' | 'apiKey'> | undefined,
  body: unknown,
  now: number,
): void {
  if (typeof access === 'string' || caller === undefined) return;
  if (asksForKey(access, body)) requireShownKey(caller, now);
}

/** Whether a session must have shown its key for a request with this body. */
function asksForKey({ freshSession = [] }: KeyAccess, body: unknown): boolean {
  if (freshSession === true) return true;
  const given = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return given.some(([name, value]) => value !== undefined && freshSession.includes(name));
}

const isCallerOf = (access: Access, caller: Caller | Operator | undefined): boolean =>
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
