import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod';
import {
  createEventPublisher,
  type EventPublisher,
  type EventPublisherOptions,
} from './event-publisher.ts';
import { type LocalServer, listen, readBody } from './local-server.ts';
import { createRequestRelay, type RelayedAnswer, type RequestRelay } from './request-relay.ts';
import { sendEmailRequest } from './sent-email.ts';
import { type SesEvent, sesEventsOf } from './ses-events.ts';

export type SesSimulatorOptions = EventPublisherOptions<SesEvent> & {
  /** Address of the mailbox that takes the emails. */
  readonly mailboxUrl: string;
  /** 0 for a free one. */
  readonly port?: number;
};

export type SesSimulator = LocalServer & {
  /** Resolves when no event is under way. */
  settled(): Promise<void>;
};

/** SESv2 in front of the mailbox: what the mailbox takes also gets the events that SES publishes. */
export async function startSesSimulator(options: SesSimulatorOptions): Promise<SesSimulator> {
  const publisher = createEventPublisher(options);
  const mailbox = createRequestRelay(options.mailboxUrl);
  const server = createServer((request, response) => {
    answerFromMailbox(request, response, mailbox).then(
      (exchange) => publishEvents(publisher, exchange),
      () => response.destroy(),
    );
  });
  server.keepAliveTimeout = 75_000;
  const listening = await listen(server, options.port ?? 0);
  return {
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

async function answerFromMailbox(
  request: IncomingMessage,
  response: ServerResponse,
  { relay }: RequestRelay,
): Promise<Exchange> {
  const body = (await readBody(request)) ?? Buffer.alloc(0);
  const answer = await relay(request, body);
  response.writeHead(answer.status, answer.headers).end(answer.body);
  return { operation: `${request.method} ${request.url}`, body, answer };
}

const mailboxAnswer = z.object({ MessageId: z.string() });

/** Event publishing belongs to a configuration set: without one, SES publishes nothing. */
function publishEvents(
  publisher: EventPublisher<SesEvent>,
  { operation, body, answer }: Exchange,
): void {
  const isAccepted = operation === 'POST /v2/email/outbound-emails' && answer.status === 200;
  if (!isAccepted) return;
  const sentAt = new Date();
  publisher.publishLater(() => {
    const request = sendEmailRequest.parse(JSON.parse(body.toString()));
    const { MessageId } = mailboxAnswer.parse(JSON.parse(answer.body.toString()));
    if (request.ConfigurationSetName === undefined) return [];
    return sesEventsOf({ request, messageId: MessageId, sentAt }, new Date());
  });
}
