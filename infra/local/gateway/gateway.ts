import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type LocalServer, listen, readBody } from '../server.ts';
import { TooManyExecutions } from './executions.ts';
import { type HandlerLoader, invokeFunction, timeoutOf } from './functions.ts';
import { buildHttpApiEvent, newRequestId } from './http-api-event.ts';
import {
  functionFault,
  gatewayMessage,
  type HttpApiResponse,
  interpretResult,
  sendResponse,
} from './http-api-response.ts';
import { refusalOf } from './own-requests.ts';
import {
  createRouteMatcher,
  type FunctionRoute,
  type RouteMatch,
  type RouteMatcher,
} from './route-matching.ts';
import type { RouteThrottle } from './throttles.ts';

/** A request for a page that only the twin has. */
export type LocalRequest = {
  readonly path: string;
  readonly query: URLSearchParams;
  /** The browser's name for this machine. */
  readonly host?: string | undefined;
  readonly cookie?: string | undefined;
};

export type GatewayOptions = {
  readonly port: number;
  readonly routes: readonly FunctionRoute[];
  readonly defaultFunction: string;
  readonly loadHandler: HandlerLoader;
  /** Throws what the intake threw. */
  readonly receiveProviderEvent: (event: unknown) => Promise<void>;
  readonly showLocalPage?: (page: LocalRequest) => Promise<HttpApiResponse | undefined>;
  /** Under `/_local`. */
  readonly changeLocally?: (
    method: string,
    path: string,
    body: string,
  ) => Promise<HttpApiResponse | undefined>;
  /** @param where a function, or a request that only the twin answers. */
  readonly reportFault: (where: string, fault: unknown) => void;
  readonly timeoutMsOf?: (functionName: string) => number;
  /** HTTP API waits no longer for a function. */
  readonly integrationTimeoutMs?: number;
  /** Default: every request passes. */
  readonly mayPass?: RouteThrottle;
};

export async function startGateway(options: GatewayOptions): Promise<LocalServer> {
  const findRoute = createRouteMatcher(options.routes);
  const server = createServer({ maxHeaderSize: maximumHeaderBytes }, (request, response) => {
    const requestId = newRequestId();
    answer(options, findRoute, request, requestId).then(
      (reply) => sendResponse(response, reply, requestId),
      (error: unknown) => abandon(response, error),
    );
  });
  // Longer than clients keep idle connections. Otherwise one might close just as it's used.
  server.keepAliveTimeout = 75_000;
  return listen(server, options.port);
}

const badRequest = gatewayMessage(400, 'Bad Request');
const tooLarge = gatewayMessage(413, 'Request Entity Too Large');
const tooManyRequests = gatewayMessage(429, 'Too Many Requests');
const unavailable = gatewayMessage(503, 'Service Unavailable');

/** For request line and headers together. */
const maximumHeaderBytes = 10_240;
const maximumBodyBytes = 10 * 1024 * 1024;
/** For an event as JSON ("Request must be smaller than 6291456 bytes"). */
const maximumEventBytes = 6_291_456;

async function answer(
  options: GatewayOptions,
  findRoute: RouteMatcher,
  request: IncomingMessage,
  requestId: string,
): Promise<HttpApiResponse> {
  const [path = '/', query = ''] = splitOnce(request.url ?? '/', '?');
  const { method = '', headers } = request;
  const body = await readBody(request, maximumBodyBytes);
  if (body === undefined) return tooLarge;
  const refusal = refusalOf(method, path, headers);
  if (refusal !== undefined) return gatewayMessage(refusal.status, refusal.message);
  if (path === '/_local/provider-events' && method === 'POST') {
    return receiveProviderEvent(options, body);
  }
  if (path.startsWith('/_local/') && method !== 'GET') {
    const change = await localAnswer(options, `${method} ${path}`, () =>
      options.changeLocally?.(method, path, body.toString()),
    );
    if (change !== undefined) return change;
  }
  if (!isWellEncoded(path)) return badRequest;
  const found = findRoute(method, path);
  if (found === undefined && method === 'GET') {
    const page = await localAnswer(options, `GET ${path}`, () =>
      options.showLocalPage?.({ ...headers, path, query: new URLSearchParams(query) }),
    );
    if (page !== undefined) return page;
  }
  const match = found ?? toDefault(options.defaultFunction);
  if (options.mayPass?.(match.routeKey) === false) return tooManyRequests;
  const now = new Date();
  const event = buildHttpApiEvent({ request, requestId, match, path, query, body, now });
  return isTooLargeForLambda(event, body) ? tooLarge : invoke(options, match, event);
}

/** The twin's own pages may fail too: the answer has the reason, and the log the stack trace. */
async function localAnswer(
  { reportFault }: GatewayOptions,
  what: string,
  find: () => Promise<HttpApiResponse | undefined> | undefined,
): Promise<HttpApiResponse | undefined> {
  try {
    return await find();
  } catch (error) {
    reportFault(what, error);
    return {
      status: 500,
      headers: { 'content-type': 'text/plain;charset=UTF-8', 'cache-control': 'no-store' },
      body: `${what} failed: ${error instanceof Error ? error.message : String(error)}\n\nThe local server's log has the details.\n`,
    };
  }
}

const toDefault = (functionName: string): RouteMatch => ({
  routeKey: '$default',
  functionName,
  pathParameters: {},
});

async function invoke(
  { loadHandler, reportFault, timeoutMsOf = timeoutOf, ...options }: GatewayOptions,
  { functionName }: RouteMatch,
  event: unknown,
): Promise<HttpApiResponse> {
  const { integrationTimeoutMs = 30_000 } = options;
  const timeoutMs = timeoutMsOf(functionName);
  const patienceMs = Math.min(timeoutMs, integrationTimeoutMs);
  const outcome = await invokeFunction(loadHandler, functionName, event, timeoutMs, patienceMs);
  switch (outcome.kind) {
    case 'returned': {
      const response = interpretResult(outcome.result);
      if (response === functionFault) reportFault(functionName, 'malformed or too large result');
      return response;
    }
    case 'threw':
      reportFault(functionName, outcome.error);
      return outcome.error instanceof TooManyExecutions ? unavailable : functionFault;
    case 'timed-out':
      reportFault(functionName, `no result after ${patienceMs} ms`);
      // A function that timed out has failed; one that HTTP API gave up on hasn't.
      return timeoutMs < integrationTimeoutMs ? functionFault : unavailable;
  }
}

async function receiveProviderEvent(
  options: GatewayOptions,
  body: Buffer,
): Promise<HttpApiResponse> {
  const event = parseJson(body.toString());
  if (event === undefined) return gatewayMessage(400, 'The body is not JSON');
  try {
    await options.receiveProviderEvent(event);
    return gatewayMessage(202, 'Recorded');
  } catch (error) {
    return gatewayMessage(500, error instanceof Error ? error.message : String(error));
  }
}

/** A byte of the body takes at most 6 in JSON, so only large bodies need measuring. */
function isTooLargeForLambda(event: unknown, body: Buffer): boolean {
  const mayBeTooLarge = body.length * 6 > maximumEventBytes - 100_000;
  return mayBeTooLarge && Buffer.byteLength(JSON.stringify(event)) >= maximumEventBytes;
}

function isWellEncoded(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function splitOnce(text: string, separator: string): readonly string[] {
  const index = text.indexOf(separator);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

/** The client went away, or the answer itself is broken. */
function abandon(response: ServerResponse, error: unknown): void {
  response.destroy(error instanceof Error ? error : undefined);
}
