import { launchDynamodb } from './dynamodb/launch.ts';
import type { Endpoints } from './environment.ts';
import { startQueues } from './queues/queues.ts';
import type { SesAccountSimulation } from './ses/account.ts';
import { type Inbox, inboxAt, ownInbox } from './ses/inbox.ts';
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
  readonly inbox: Inbox;
};

export async function startStandIns(options: StandInsOptions): Promise<StandIns> {
  const { given, keep, tableFolder } = options;
  // Takes the longest, so the others start beside it.
  const dynamodb = given.dynamodb ?? keep(launchDynamodb({ dataFolder: tableFolder })).url;
  const { sesv2, ...email } = await openEmail(options);
  const queues = await openQueues(options);
  return { endpoints: { dynamodb: await dynamodb, sesv2, ...queues }, ...email };
}

async function openEmail(options: StandInsOptions) {
  const { given, keep, providerEvents, publish, reportDropped, account } = options;
  if (given.sesv2 !== undefined) {
    return { sesv2: given.sesv2, inboxUrl: given.sesv2, inbox: inboxAt(given.sesv2) };
  }
  const { url: mailboxUrl } = keep(await startMailbox());
  const email = { inboxUrl: mailboxUrl, inbox: ownInbox };
  if (!providerEvents) return { sesv2: mailboxUrl, ...email };
  const { url } = keep(await startSesServer({ mailboxUrl, account, publish, reportDropped }));
  return { sesv2: url, ...email };
}

async function openQueues({ given: { sqs, s3 }, keep }: StandInsOptions) {
  if (sqs !== undefined && s3 !== undefined) return { sqs, s3 };
  const { url } = keep(await startQueues());
  return { sqs: sqs ?? url, s3: s3 ?? url };
}
