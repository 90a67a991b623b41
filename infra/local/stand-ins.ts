import { launchDynamodb } from './dynamodb/launch.ts';
import type { Endpoints } from './environment.ts';
import { startQueues } from './queues/queues.ts';
import type { LocalServer } from './server.ts';
import type { SesAccountSimulation } from './ses/account.ts';
import { type SesServerOptions, startMailbox, startSesServer } from './ses/ses-server.ts';

type StandInsOptions = {
  /** Used instead of starting that part. */
  readonly given: Partial<Endpoints>;
  /** If false, callers talk to the mailbox directly. */
  readonly providerEvents: boolean;
  /** Without it, DynamoDB's data is in memory. */
  readonly tableFolder?: string | undefined;
  /** Used if events are published. */
  readonly account: SesAccountSimulation;
  readonly publish: SesServerOptions['publish'];
  readonly reportDropped: SesServerOptions['reportDropped'];
  /** Called with each part that must be stopped. */
  readonly keep: <Part extends { stop(): Promise<void> }>(part: Part) => Part;
};

type StandIns = {
  readonly endpoints: Endpoints;
  readonly inboxUrl: string;
};

export async function startStandIns(options: StandInsOptions): Promise<StandIns> {
  const { given } = options;
  const dynamodb =
    given.dynamodb === undefined
      ? options.keep(launchDynamodb({ dataFolder: options.tableFolder }))
      : undefined;
  const email = given.sesv2 === undefined ? await startEmail(options) : undefined;
  const needsQueues = given.sqs === undefined || given.s3 === undefined;
  const queues = needsQueues ? options.keep(await startQueues()) : undefined;
  const endpoints = {
    dynamodb: given.dynamodb ?? urlOf({ url: await dynamodb?.url }),
    sesv2: given.sesv2 ?? urlOf(email?.ses),
    sqs: given.sqs ?? urlOf(queues),
    s3: given.s3 ?? urlOf(queues),
  };
  return { endpoints, inboxUrl: email?.mailbox.url ?? endpoints.sesv2 };
}

async function startEmail(
  options: StandInsOptions,
): Promise<{ readonly ses: LocalServer; readonly mailbox: LocalServer }> {
  const { keep, providerEvents, publish, reportDropped, account } = options;
  const mailbox = keep(await startMailbox());
  if (!providerEvents) return { ses: mailbox, mailbox };
  const simulator = await startSesServer({
    mailboxUrl: mailbox.url,
    account,
    publish,
    reportDropped,
  });
  return { ses: keep(simulator), mailbox };
}

function urlOf(server: { readonly url: string | undefined } | undefined): string {
  if (server?.url === undefined) throw new Error('No endpoint given and no part started');
  return server.url;
}
