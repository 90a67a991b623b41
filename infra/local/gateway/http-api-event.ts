import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { RouteMatch } from './route-matching.ts';

type EventInput = {
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly match: RouteMatch;
  readonly path: string;
  readonly query: string;
  readonly body: Buffer;
  readonly now: Date;
};

/** Looks like HTTP API's, for example `JKJaXmPLvHcESHA=`. */
export const newRequestId = (): string => `${randomBytes(11).toString('base64url')}=`;

/** Payload format 2.0 (API Gateway guide, "Lambda proxy integrations for HTTP APIs"). */
export function buildHttpApiEvent(input: EventInput): APIGatewayProxyEventV2 {
  const { request, match, query, body } = input;
  const { cookie, ...headers } = joinedHeaders(request.rawHeaders);
  const isText = textTypes.test(headers['content-type'] ?? '');
  const hasPathParameters = Object.keys(match.pathParameters).length > 0;
  return {
    version: '2.0',
    routeKey: match.routeKey,
    // HTTP API decodes it despite the name; REST APIs and function URLs don't.
    rawPath: decodeURIComponent(input.path),
    rawQueryString: query,
    ...(cookie !== undefined && { cookies: cookie.split(/;\s*/) }),
    headers: {
      ...headers,
      'x-forwarded-for': sourceIpOf(request),
      'x-forwarded-proto': 'http',
    },
    ...(query !== '' && { queryStringParameters: joinedParameters(query) }),
    ...(hasPathParameters && { pathParameters: { ...match.pathParameters } }),
    requestContext: requestContextOf(input, headers),
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/**
 * HTTP API passes these on as text. Undocumented, but seen on AWS: a form, or a body without a content type, arrives as
 * base64.
 */
const textTypes = /^\s*(text\/|application\/(json|xml|javascript)\s*(;|$))/i;

const sourceIpOf = (request: IncomingMessage): string => request.socket.remoteAddress ?? '';

function requestContextOf(
  { request, requestId, match, path, now }: EventInput,
  headers: Readonly<Record<string, string>>,
): APIGatewayProxyEventV2['requestContext'] {
  return {
    accountId: '000000000000',
    apiId: 'local',
    domainName: headers['host'] ?? 'localhost',
    domainPrefix: 'local',
    http: {
      method: request.method ?? '',
      path: decodeURIComponent(path),
      protocol: `HTTP/${request.httpVersion}`,
      sourceIp: sourceIpOf(request),
      userAgent: headers['user-agent'] ?? '',
    },
    requestId,
    routeKey: match.routeKey,
    stage: '$default',
    time: commonLogTime(now),
    timeEpoch: now.getTime(),
  };
}

/** Lower-case names, repeated headers joined by commas, without hop-by-hop headers. */
function joinedHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const joined: Record<string, string> = {};
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    const value = rawHeaders[index + 1] ?? '';
    if (hopByHopHeaders.has(name)) continue;
    const separator = name === 'cookie' ? '; ' : ',';
    joined[name] = joined[name] === undefined ? value : `${joined[name]}${separator}${value}`;
  }
  return joined;
}

const hopByHopHeaders = new Set(['connection', 'expect', 'keep-alive', 'te', 'transfer-encoding']);

function joinedParameters(query: string): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    joined[name] = joined[name] === undefined ? value : `${joined[name]},${value}`;
  }
  return joined;
}

/** For example `12/Mar/2020:19:03:58 +0000`. */
function commonLogTime(now: Date): string {
  const [, day, month, year, time] = now.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
