import {
  Agent,
  createServer,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http';
import * as z from 'zod';
import {
  createEventPublisher,
  type EventPublisher,
  type EventPublisherOptions,
} from './event-publisher.ts';
import { type LocalServer, listen, readBody } from './local-server.ts';
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
  const agent = new Agent({ keepAlive: true });
  const server = createServer((request, response) => {
    relay(request, response, options.mailboxUrl, agent).then(
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
      publisher.stop();
      agent.destroy();
      await listening.stop();
    },
  };
}

type Exchange = {
  readonly operation: string;
  readonly body: Buffer;
  readonly status: number;
  readonly answer: Buffer;
};

async function relay(
  request: IncomingMessage,
  response: ServerResponse,
  mailboxUrl: string,
  agent: Agent,
): Promise<Exchange> {
  const { method, url = '/', headers } = request;
  const body = (await readBody(request)) ?? Buffer.alloc(0);
  const target = new URL(url, mailboxUrl);
  const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  openRequest(target, { method, headers, agent }, resolve).on('error', reject).end(body);
  const incoming = await answered;
  const answer = (await readBody(incoming)) ?? Buffer.alloc(0);
  response.writeHead(incoming.statusCode ?? 502, incoming.headers).end(answer);
  return { operation: `${method} ${url}`, body, status: incoming.statusCode ?? 502, answer };
}

const mailboxAnswer = z.object({ MessageId: z.string() });

/** Event publishing belongs to a configuration set: without one, SES publishes nothing. */
function publishEvents(publisher: EventPublisher<SesEvent>, exchange: Exchange): void {
  const isAccepted =
    exchange.operation === 'POST /v2/email/outbound-emails' && exchange.status === 200;
  if (!isAccepted) return;
  const sentAt = new Date();
  publisher.publishLater(() => {
    const request = sendEmailRequest.parse(JSON.parse(exchange.body.toString()));
    const { MessageId } = mailboxAnswer.parse(JSON.parse(exchange.answer.toString()));
    if (request.ConfigurationSetName === undefined) return [];
    return sesEventsOf({ request, messageId: MessageId, sentAt }, new Date());
  });
}
