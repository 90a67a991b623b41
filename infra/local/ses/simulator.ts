import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod';
import { type LocalServer, listen, readBody } from '../server.ts';
import { createSesAccount, type SesAccountSimulation, type SesAnswer } from './account.ts';
import {
  createEventPublisher,
  type EventPublisher,
  type EventPublisherOptions,
} from './event-publisher.ts';
import { type SesEvent, sesEventsOf } from './events.ts';
import { refusalInSandbox } from './identity-calls.ts';
import { createRequestRelay, type RelayedAnswer, type RequestRelay } from './request-relay.ts';
import { bareAddress, sendEmailRequest } from './sent-email.ts';
import { suppressionOf } from './suppression-calls.ts';
import { refusalOfSend } from './tenant-calls.ts';

export type SesSimulatorOptions = EventPublisherOptions<SesEvent> & {
  /** Address of the mailbox that takes the emails. */
  readonly mailboxUrl: string;
  /** 0 for a free one. */
  readonly port?: number;
  /** The identities, tenants and limits of the account; a new one in memory unless told. */
  readonly account?: SesAccountSimulation;
};

export type SesSimulator = LocalServer & {
  readonly account: SesAccountSimulation;
  /** Resolves when no event is under way. */
  settled(): Promise<void>;
};

/** SESv2 in front of the mailbox: what the mailbox takes also gets the events that SES publishes. */
export async function startSesSimulator(options: SesSimulatorOptions): Promise<SesSimulator> {
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

/** The account answers calls about itself, and refuses sends; what it has nothing to say of, the mailbox. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { relay }: RequestRelay,
  account: SesAccountSimulation,
): Promise<Exchange> {
  const body = (await readBody(request)) ?? Buffer.alloc(0);
  const answer = answerOfAccount(request, body, account) ?? (await relay(request, body));
  response.writeHead(answer.status, answer.headers).end(answer.body);
  return { operation: `${request.method} ${request.url}`, body, answer };
}

function answerOfAccount(
  { method = '', url = '' }: IncomingMessage,
  body: Buffer,
  account: SesAccountSimulation,
): RelayedAnswer | undefined {
  const path = decodeURIComponent(url.replace(/^\/v2\/email/, ''));
  const parsed: unknown = body.length === 0 ? undefined : JSON.parse(body.toString());
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

/** In the sandbox SES takes few recipients. A send in a tenant's name needs the domain and the configuration set to be the tenant's. */
function refusalOf(body: unknown, { state, dns }: SesAccountSimulation): SesAnswer | undefined {
  const { data: request } = sendEmailRequest.safeParse(body);
  if (request === undefined) return undefined;
  const { ToAddresses, CcAddresses, BccAddresses } = request.Destination;
  const recipients = [...ToAddresses, ...CcAddresses, ...BccAddresses].map(bareAddress);
  const refusal = refusalInSandbox(recipients, state, dns);
  if (refusal !== undefined || request.TenantName === undefined) return refusal;
  const domain = bareAddress(request.FromEmailAddress).split('@').at(-1);
  const resources = [`identity/${domain}`, `configuration-set/${request.ConfigurationSetName}`];
  return refusalOfSend(request.TenantName, resources, state);
}

const mailboxAnswer = z.object({ MessageId: z.string() });

/** Event publishing belongs to a configuration set: without one, SES publishes nothing. */
function publishEvents(
  publisher: EventPublisher<SesEvent>,
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
