import {
  Agent,
  createServer,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type MailboxModule from 'aws-ses-v2-local';
import * as z from 'zod';
import { close, type LocalServer, listen, portOf, readBody } from '../server.ts';
import { createSesAccount, type SesAccountSimulation } from './account.ts';
import { type SesEvent, sesEventsOf } from './events.ts';
import { withFileTypes } from './file-types.ts';
import { refusalInSandbox } from './identity-calls.ts';
import { bareAddress, sendEmailRequest } from './mail.ts';
import { refusal, type SesAnswer } from './state.ts';
import { suppressionOf } from './suppression-calls.ts';
import { refusalOfSend } from './tenant-calls.ts';

export type SesServerOptions = EventPublisherOptions & {
  readonly mailboxUrl: string;
  /** 0 means a free one. */
  readonly port?: number;
  /** Default: a new one in memory. */
  readonly account?: SesAccountSimulation;
};

type SesServer = LocalServer & {
  readonly account: SesAccountSimulation;
  /** Resolves once no event is under way. */
  settled(): Promise<void>;
};

export async function startSesServer(options: SesServerOptions): Promise<SesServer> {
  const publisher = createEventPublisher(options);
  const mailbox = createRequestRelay(options.mailboxUrl);
  const { account = createSesAccount() } = options;
  const server = createServer((request, response) => {
    answer(request, response, mailbox, account).then(
      (exchange) => publishEvents(publisher, account, exchange),
      () => response.destroy(),
    );
  });
  server.keepAliveTimeout = 75_000;
  const listening = await listen(server, options.port ?? 0);
  return {
    account,
    url: listening.url,
    settled: publisher.settled,
    stop: async () => {
      await listening.stop();
      mailbox.close();
      await publisher.stop();
    },
  };
}

type Exchange = {
  readonly operation: string;
  readonly body: Buffer;
  readonly answer: RelayedAnswer;
};

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { relay }: RequestRelay,
  account: SesAccountSimulation,
): Promise<Exchange> {
  const given = (await readBody(request)) ?? Buffer.alloc(0);
  const parsed: unknown = given.length === 0 ? undefined : JSON.parse(given.toString());
  const typed = withFileTypes(parsed);
  const body = typed === parsed ? given : Buffer.from(JSON.stringify(typed));
  const answer = answerOfAccount(request, parsed, account) ?? (await relay(request, body));
  response.writeHead(answer.status, answer.headers).end(answer.body);
  return { operation: `${request.method} ${request.url}`, body, answer };
}

function answerOfAccount(
  { method = '', url = '' }: IncomingMessage,
  parsed: unknown,
  account: SesAccountSimulation,
): RelayedAnswer | undefined {
  const path = decodeURIComponent(url.replace(/^\/v2\/email/, ''));
  const isSend = method === 'POST' && path === '/outbound-emails';
  const answer = isSend
    ? refusalOf(parsed, account)
    : account.answer({ method, path, body: parsed });
  return (
    answer && {
      status: answer.status,
      headers: {
        'content-type': 'application/json',
        ...(answer.error !== undefined && { 'x-amzn-errortype': answer.error }),
      },
      body: Buffer.from(JSON.stringify(answer.json)),
    }
  );
}

/** SES refuses longer ones, name included. */
const longestMailbox = 320;
/** API v2 reference, "Message". */
const maxHeaders = 15;
/** SES quotas, "Message quotas". */
const maxRecipients = 50;

/** For a send as a tenant, the domain and the configuration set must be the tenant's. */
function refusalOf(body: unknown, { state, dns }: SesAccountSimulation): SesAnswer | undefined {
  const { data: request } = sendEmailRequest.safeParse(body);
  if (request === undefined) return undefined;
  const { ToAddresses, CcAddresses, BccAddresses } = request.Destination;
  const mailboxes = [...ToAddresses, ...CcAddresses, ...BccAddresses];
  const all = [request.FromEmailAddress, ...request.ReplyToAddresses, ...mailboxes];
  if (all.some(({ length }) => length > longestMailbox)) {
    const message = `Address length is more than ${longestMailbox} bytes long`;
    return refusal(400, 'BadRequestException', message);
  }
  if (mailboxes.length > maxRecipients) {
    return refusal(400, 'BadRequestException', `Recipient count exceeds ${maxRecipients}.`);
  }
  if ((request.Content.Simple?.Headers.length ?? 0) > maxHeaders) {
    const message = `Value at 'content.simple.headers' failed to satisfy constraint: Member must have length less than or equal to ${maxHeaders}`;
    return refusal(400, 'BadRequestException', message);
  }
  const inSandbox = refusalInSandbox(mailboxes.map(bareAddress), state, dns);
  if (inSandbox !== undefined || request.TenantName === undefined) return inSandbox;
  const domain = bareAddress(request.FromEmailAddress).split('@').at(-1);
  const resources = [`identity/${domain}`, `configuration-set/${request.ConfigurationSetName}`];
  return refusalOfSend(request.TenantName, resources, state);
}

const mailboxAnswer = z.object({ MessageId: z.string() });

/** Without a configuration set, SES publishes nothing. */
function publishEvents(
  publisher: EventPublisher,
  { state }: SesAccountSimulation,
  { operation, body, answer }: Exchange,
): void {
  const isAccepted = operation === 'POST /v2/email/outbound-emails' && answer.status === 200;
  if (!isAccepted) return;
  const sentAt = new Date();
  publisher.publishLater(() => {
    const request = sendEmailRequest.parse(JSON.parse(body.toString()));
    const { MessageId } = mailboxAnswer.parse(JSON.parse(answer.body.toString()));
    if (request.ConfigurationSetName === undefined) return [];
    const email = { request, messageId: MessageId, sentAt };
    return sesEventsOf(email, new Date(), (address) =>
      suppressionOf(address, request.TenantName, state),
    );
  });
}

type EventPublisherOptions = {
  readonly publish: (event: SesEvent) => Promise<void>;
  /** Called with an event that couldn't be published, or without one if the events couldn't be made. */
  readonly reportDropped: (event: SesEvent | undefined, error: unknown) => void;
  /** SES publishes some time after accepting the email, usually after the sender has committed. */
  readonly delayMs?: number;
};

type EventPublisher = {
  publishLater(events: () => readonly SesEvent[]): void;
  /** Resolves once no event is under way. */
  settled(): Promise<void>;
  /** Drops waiting events, and waits for those under way. */
  stop(): Promise<void>;
};

function createEventPublisher({
  publish,
  reportDropped,
  delayMs = 100,
}: EventPublisherOptions): EventPublisher {
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();

  const track = (work: Promise<void>) => {
    const tracked = work
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) reportDropped(undefined, error);
      })
      .finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  };

  const publishInOrder = async (events: () => readonly SesEvent[]) => {
    await sleep(delayMs, undefined, { signal: stopping.signal });
    for (const event of events()) {
      stopping.signal.throwIfAborted();
      await publish(event).catch((error: unknown) => reportDropped(event, error));
    }
  };

  const settled = async () => {
    while (underWay.size > 0) await Promise.all(underWay);
  };

  return {
    publishLater: (events) => track(publishInOrder(events)),
    settled,
    stop: () => {
      stopping.abort();
      return settled();
    },
  };
}

const require = createRequire(import.meta.url);

/** aws-ses-v2-local takes SESv2 calls and has a web inbox. */
export async function startMailbox(): Promise<LocalServer> {
  // Required, as Node and vitest disagree on the default import of a CommonJS module.
  const { default: startServer }: typeof MailboxModule = require('aws-ses-v2-local');
  const host = '127.0.0.1';
  const server = await startServer({ host, port: 0 });
  // Its default of 5 s closes connections just as they're reused, and the send wouldn't learn its outcome.
  server.keepAliveTimeout = 75_000;
  const url = `http://${host}:${portOf(server)}`;
  // It keeps mail as long as the process lives, so a new twin would show an earlier one's.
  await fetch(`${url}/clear-store`, { method: 'POST' });
  return { url, stop: () => close(server) };
}

type RelayedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

type RequestRelay = {
  relay(request: IncomingMessage, body: Buffer): Promise<RelayedAnswer>;
  close(): void;
};

/** Keeps its connections open. */
export function createRequestRelay(target: string): RequestRelay {
  const agent = new Agent({ keepAlive: true });
  return {
    relay: async ({ method, url = '/', headers }, body) => {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const sent = { ...headers, 'content-length': `${body.length}` };
      openRequest(new URL(url, target), { method, headers: sent, agent }, resolve)
        .on('error', reject)
        .end(body);
      const answer = await promise;
      return {
        status: answer.statusCode ?? 502,
        headers: endToEndHeaders(answer),
        body: (await readBody(answer)) ?? Buffer.alloc(0),
      };
    },
    close: () => agent.destroy(),
  };
}

/** Drops headers about the connection, which is a different one here. */
function endToEndHeaders({ headers }: IncomingMessage): Record<string, string> {
  const endToEnd: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!connectionHeaders.has(name)) endToEnd[name] = String(value);
  }
  return endToEnd;
}

const connectionHeaders = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
]);
