import { createServer, type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import type { Command } from 'commander';
import { webhookEventTypes, webhookFormats } from '#shared/organizations/webhook-subscriptions';
import { type LocalServer, listen, readBody } from '../../local/server.ts';
import { required } from '../api/answers.ts';
import type { ApiClient } from '../api/client.ts';
import { momentOf } from '../drawing/text-table.ts';
import { usageFailure } from '../failure.ts';
import { examples, listOf, listOfAny, needed, oneOf } from '../options.ts';
import { isLoopback } from '../service-address.ts';
import type { Session, Sessions } from '../session.ts';
import type { Paint } from '../terminal.ts';

export function addListen(webhooks: Command, sessions: Sessions): void {
  webhooks
    .command('listen')
    .summary('Forwards webhooks of the local server')
    .description('Forwards webhooks of the local server to a receiver, until Ctrl-C')
    .addOption(needed('--forward-to <url>', 'the receiver, for example localhost:4000/hooks'))
    .option('--events <types>', 'only these, comma-separated', listOf(webhookEventTypes))
    .option('--tags <tags>', 'only for emails with one of these tags, as name:value', listOfAny)
    .option('--templates <ids>', 'only for emails of one of these templates', listOfAny)
    .option('--format <form>', 'resend: messages as Resend sends them', oneOf(webhookFormats))
    .addHelpText(
      'after',
      examples(
        'webhooks listen --forward-to localhost:4000/hooks',
        'webhooks listen --forward-to http://localhost:4000/hooks --events email.bounced',
        'webhooks listen --forward-to localhost:4000/hooks --tags kind:reset',
      ),
    )
    .action(async (options: ListenOptions, command: Command) => {
      await listenAndForward(await sessions.open(command), options);
    });
}

type ListenOptions = {
  readonly forwardTo: string;
  readonly events?: readonly string[];
  readonly tags?: readonly string[];
  readonly templates?: readonly string[];
  readonly format?: 'resend';
};

/** The endpoint is deleted with the command, except after a hard kill. */
async function listenAndForward(
  { target, terminal, surroundings, asManager }: Session,
  { forwardTo, events = [], tags = [], templates = [], format }: ListenOptions,
): Promise<void> {
  if (target.kind === 'stack' || !isLoopback(new URL(target.baseUrl))) {
    throw usageFailure(
      `${target.name} can't reach this machine. Only the local server can: start it with npm start.`,
    );
  }
  const receiver = receiverUrl(forwardTo);
  const api = await asManager();
  const { now, untilInterrupted } = surroundings;
  const interrupted = untilInterrupted();
  const report = (one: Forwarded) => terminal.showLine(one, (paint) => drawForwarded(one, paint));
  const forwarder = await startForwarder({ forwardTo: receiver, now, report });
  try {
    const endpoint = await addEndpoint(api, {
      url: forwarder.url,
      eventTypes: events,
      tags,
      templates,
      ...(format && { format }),
    });
    try {
      terminal.say(`Forwarding to ${receiver.href}. Signing secret: ${endpoint.secret}`);
      terminal.say('Ctrl-C removes the endpoint.');
      await interrupted;
    } finally {
      await api.tell('DELETE /api/v1/webhooks/{id}', { path: { id: endpoint.id } });
      terminal.say('Endpoint removed.');
    }
  } finally {
    await forwarder.stop();
  }
}

type Subscription = Omit<ListenOptions, 'forwardTo' | 'events'> & {
  readonly url: string;
  readonly eventTypes: readonly string[];
};

async function addEndpoint(api: ApiClient, subscription: Subscription) {
  const body = { ...subscription, description: 'webhooks listen' };
  const endpoint = await api.ask('POST /api/v1/webhooks', { body });
  return { id: required(endpoint, 'id'), secret: endpoint.secret };
}

function receiverUrl(text: string): URL {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null) throw usageFailure(`"${text}" isn't a URL. Example: localhost:4000/hooks`);
  return url;
}

function drawForwarded({ at, type, messageId, status, error }: Forwarded, paint: Paint): string {
  const isTaken = status !== undefined && status >= 200 && status < 300;
  const answer = paint(isTaken ? 'green' : 'red', status?.toString() ?? error ?? '');
  return `${momentOf(at)}  ${answer}  ${type}  ${paint('dim', messageId)}`;
}

type Forwarded = {
  readonly at: number;
  readonly messageId: string;
  readonly type: string;
  /** The receiver's; absent if it didn't answer. */
  readonly status?: number;
  readonly error?: string;
};

type ForwarderOptions = {
  readonly forwardTo: URL;
  readonly now: () => number;
  readonly report: (forwarded: Forwarded) => void;
};

/** A little less than the service waits for an answer. */
const timeoutMs = 14_000;

/**
 * Forwards the same bytes and headers, so that the signature fits, and answers as the receiver did, so that the service
 * retries.
 */
function startForwarder({ forwardTo, now, report }: ForwarderOptions): Promise<LocalServer> {
  const server = createServer(async (request, response) => {
    const body = (await readBody(request)) ?? Buffer.alloc(0);
    const messageId = headerOf(request, 'webhook-id') || headerOf(request, 'svix-id');
    const message = { at: now(), messageId, type: typeOf(body) };
    try {
      const answer = await post(forwardTo, forwardedHeaders(request), body);
      const text = await readBody(answer);
      const { statusCode: status = 502 } = answer;
      const retryAfter = answer.headers['retry-after'];
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
      response.end(text);
      report({ ...message, status });
    } catch (error) {
      response.writeHead(502).end("The receiver didn't answer.");
      report({ ...message, error: faultOf(error) });
    }
  });
  return listen(server, 0);
}

function post(url: URL, headers: Record<string, string>, body: Buffer): Promise<IncomingMessage> {
  const answer = Promise.withResolvers<IncomingMessage>();
  const open = url.protocol === 'https:' ? requestByHttps : requestByHttp;
  const options = { method: 'POST', headers, signal: AbortSignal.timeout(timeoutMs) };
  const request = open(url, options, answer.resolve);
  request.once('error', answer.reject);
  // A switch of protocols ends in no error.
  request.once('close', () => answer.reject(new Error('closed without an answer')));
  request.end(body);
  return answer.promise;
}

/** Receivers read these. The others belong to the connection. */
const forwardedHeaders = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      /^(content-type|user-agent|(webhook|svix)-.*)$/.test(name) ? [[name, `${value}`]] : [],
    ),
  );

const headerOf = ({ headers }: IncomingMessage, name: string): string => `${headers[name] ?? ''}`;

function typeOf(body: Buffer): string {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    const isMessage = typeof parsed === 'object' && parsed !== null && 'type' in parsed;
    return isMessage ? String(parsed.type) : 'unknown';
  } catch {
    return 'unknown';
  }
}

function faultOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return String(cause);
}
