import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuiltFileName } from '#shared/endpoints/lambda';
import { defaultFunction } from '../../functions/endpoints.ts';
import { routes } from '../../functions/routes.ts';
import { type Account, throttleOfRoute } from './account.ts';
import { startDnsServer } from './dns/server.ts';
import { launchDynamodb } from './dynamodb/launch.ts';
import { startContactListing, startUsageCounting } from './dynamodb/table-stream.ts';
import {
  awsIdentity,
  type Endpoints,
  type EnvironmentInput,
  functionEnvironment,
  givenEndpoints,
  setEnvironment,
  tableName,
} from './environment.ts';
import { limitExecutions } from './gateway/executions.ts';
import { createHandlerLoader, declarationOf, type HandlerLoader } from './gateway/functions.ts';
import { startGateway } from './gateway/gateway.ts';
import { createInboxPages, type InboxPages } from './gateway/inbox-pages.ts';
import { createRouteThrottle } from './gateway/throttles.ts';
import type { LocalIssuer } from './issuer.ts';
import {
  createSendQueue,
  createTestEventQueue,
  createWebhookQueue,
  startSendQueue,
  startTestEvents,
  startWebhookDelivery,
} from './queues/function-queues.ts';
import { createAttachmentsBucket, startQueues } from './queues/queues.ts';
import { startScheduledRuns } from './schedule.ts';
import {
  keepContactDigestKey,
  newSecrets,
  type SharedSecrets,
  secretsSchema,
  serveSecrets,
} from './secrets.ts';
import type { LocalOrganization } from './seed.ts';
import type { LocalServer } from './server.ts';
import type { SesAccountSimulation } from './ses/account.ts';
import { changeLocalDomains, createLocalAccount, verifyLocalDomain } from './ses/domains.ts';
import {
  createEventIntake,
  createEventRetryQueue,
  createProviderEventIntake,
  createTenantEvents,
  startEventRetries,
} from './ses/event-intake.ts';
import { type Inbox, inboxAt, ownInbox } from './ses/inbox.ts';
import { type SesServerOptions, startMailbox, startSesServer } from './ses/ses-server.ts';
import type { KeptData } from './twin-files.ts';

type LocalStackOptions = {
  /** The API's port. Default: 0, a free one. */
  readonly port?: number;
  /** Data kept between starts; called once the port is ours. Without it, everything is new and in memory. */
  readonly openData?: () => KeptData;
  readonly quiet?: boolean;
  /** Whether a new organization has a person of each role. Default: false. */
  readonly withPeople?: boolean;
  /** Whether people can sign in with an issuer on this machine (OpenID Connect). Default: false. */
  readonly withIssuer?: boolean;
  /** Enforces this account's throttles and concurrency. Default: none. */
  readonly account?: Account | undefined;
  /** If false, functions talk to the mailbox directly. */
  readonly providerEvents?: boolean;
  /** Default: `providerEvents`. */
  readonly webhooks?: boolean;
  /** Default: `providerEvents`. */
  readonly usage?: boolean;
  /** Whether scheduled and queued emails go out. Default: `providerEvents`. */
  readonly laterSends?: boolean;
  /** Gets the name of each function that the twin invokes. */
  readonly onInvocation?: (functionName: string) => void;
  /** Adds or replaces variables of the functions. */
  readonly env?: Readonly<Record<string, string>>;
};

export type StackDescription = {
  readonly baseUrl: string;
  readonly organizationId: string;
  readonly apiKey: string;
  readonly manageKey: string;
  readonly testKey: string;
  readonly operatorSecret: string;
  readonly cronSecret: string;
  readonly signingKey: SharedSecrets['signingKey'];
  readonly fromEmail: string;
  readonly inboxUrl: string;
  readonly tableName: string;
  readonly endpoints: Endpoints;
  /** Where people sign in, if the twin has an issuer. */
  readonly issuerUrl?: string;
};

export type LocalStack = {
  readonly description: StackDescription;
  /** If asked for. */
  readonly issuer: LocalIssuer | undefined;
  stop(): Promise<void>;
};

type Stop = () => unknown;

/**
 * The whole service in this process, with only DynamoDB Local beside it. The functions read `process.env`, so one
 * process runs one twin at a time.
 *
 * @throws StartFailure if a port is taken, or Java is missing or too old.
 */
export async function startLocalStack(options: LocalStackOptions = {}): Promise<LocalStack> {
  const stops: Stop[] = [];
  const stop = async () => {
    for (const stopPart of stops.splice(0).reverse()) await stopPart();
  };
  try {
    const { description, issuer } = await start(createTwin(options, stops));
    return { description, issuer, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const providerEventsTopicArn = 'arn:aws:sns:us-east-1:000000000000:local-provider-events';

type Twin = ReturnType<typeof createTwin>;

function createTwin(options: LocalStackOptions, stops: Stop[]) {
  const { port = 0, quiet = false, providerEvents = true, env = {}, openData, account } = options;
  const { webhooks = providerEvents, usage = providerEvents } = options;
  const { laterSends = providerEvents, withPeople = false, withIssuer = false } = options;
  const builtFiles = openBuiltFiles();
  const load = createHandlerLoader(builtFiles.writeFor);
  const loader: HandlerLoader = (name) => {
    options.onInvocation?.(name);
    return load(name);
  };
  const loadHandler = account ? limitExecutions(loader, account) : loader;
  const stopping = new AbortController();
  const restores: (() => void)[] = [];
  stops.push(builtFiles.stop, () => {
    for (const restore of restores.reverse()) restore();
  });
  return {
    port,
    openData,
    withPeople,
    withIssuer,
    quiet,
    account,
    stopping,
    providerEvents,
    webhooks,
    usage,
    laterSends,
    env,
    outerEnvironment: { ...process.env, ...env },
    setEnvironment: (variables: Readonly<Record<string, string>>) => {
      restores.push(setEnvironment(variables));
    },
    loadHandler,
    builtFilesFolder: builtFiles.folder,
    /** For tests that watch the intake fail. No limit counts for them. */
    receiveProviderEvent: createProviderEventIntake(loader, providerEventsTopicArn),
    report: quiet ? () => {} : (...fault: readonly unknown[]) => console.error(...fault),
    keep: <Part extends { stop(): Promise<void> }>(part: Part): Part => {
      stops.push(part.stop);
      return part;
    },
  };
}

async function start(twin: Twin) {
  const { keep, report, loadHandler, providerEvents, outerEnvironment, account, stopping } = twin;
  const { signal } = stopping;
  const ready = Promise.withResolvers<void>();
  // First, as a taken port shouldn't cost the time of the rest.
  const inboxPages = Promise.withResolvers<InboxPages>();
  const ses = Promise.withResolvers<SesAccountSimulation>();
  const toCome = { ready: ready.promise, pages: inboxPages.promise, ses: ses.promise };
  const gateway = keep(await openGateway(twin, toCome));
  const data = twin.openData?.();
  const publish = Promise.withResolvers<ReturnType<typeof createEventIntake>>();
  const sesAccount = createLocalAccount(data, createTenantEvents(loadHandler, report, signal));
  ses.resolve(sesAccount);
  const { endpoints, inboxUrl, inbox } = await startStandIns({
    given: givenEndpoints(outerEnvironment),
    providerEvents,
    account: sesAccount,
    tableFolder: data?.tableFolder,
    publish: async (event) => (await publish.promise)(event),
    reportDropped: (event, error) => report(`${event?.eventType ?? 'Every'} event dropped`, error),
    keep,
  });
  keep({ stop: async () => stopping.abort() });
  const { address: dnsServer } = keep(await startDnsServer(sesAccount.dns));
  const addresses = { endpoints, dnsServer, publicBaseUrl: gateway.url };
  const { queues, secrets } = await prepareEnvironment(twin, addresses, data);
  const retryQueueUrl = queues.PROVIDER_EVENT_RETRY_QUEUE_URL;
  const topicArn = providerEventsTopicArn;
  publish.resolve(createEventIntake({ loadHandler, topicArn, queueUrl: retryQueueUrl, signal }));
  const organization = await prepareService(endpoints.dynamodb, data, twin);
  verifyLocalDomain(sesAccount, organization);
  const issuer = await openIssuer(twin, gateway.url, { ...organization, ...secrets });
  if (providerEvents) {
    keep(startEventRetries({ queueUrl: retryQueueUrl, loadHandler, report }));
    keep(startTestEvents({ queueUrl: queues.TEST_EVENT_QUEUE_URL, loadHandler, report }));
    keep(startScheduledRuns('check-identities', loadHandler, report));
    keep(startScheduledRuns('purge-organizations', loadHandler, report));
  }
  if (twin.webhooks)
    keep(
      startWebhookDelivery({ queueUrl: queues.WEBHOOK_QUEUE_URL, loadHandler, report, account }),
    );
  if (twin.laterSends)
    keep(startSendQueue({ queueUrl: queues.SEND_QUEUE_URL, loadHandler, report, account }));
  if (twin.webhooks) keep(startScheduledRuns('send-notices', loadHandler, report));
  const reading = { endpoint: endpoints.dynamodb, loadHandler, report };
  if (twin.usage) keep(startUsageCounting(reading));
  if (twin.usage) keep(startContactListing(reading));
  const { signInAs, signInAsOperator } = await import('./people.ts');
  const own = { baseUrl: gateway.url, ...organization };
  inboxPages.resolve(
    createInboxPages({
      ...own,
      inbox,
      signInAs: (role) => (role === 'operator' ? signInAsOperator(own) : signInAs(role, own)),
    }),
  );
  ready.resolve();
  // Kept again, because it must stop before everything it needs.
  keep(gateway);
  const { oidcSecret: _, ...shared } = secrets;
  const description: StackDescription = {
    ...{ baseUrl: gateway.url, ...organization, ...shared, inboxUrl, tableName, endpoints },
    ...(issuer && { issuerUrl: issuer.url }),
  };
  return { description, issuer };
}

/** On the port after the twin's. Its rules name the organization, so it comes after that. */
async function openIssuer(
  { withIssuer, port, keep, setEnvironment }: Twin,
  publicBaseUrl: string,
  { organizationId, oidcSecret }: { readonly organizationId: string; readonly oidcSecret: string },
): Promise<LocalIssuer | undefined> {
  if (!withIssuer) return undefined;
  const { roleRulesFor, startIssuer } = await import('./issuer.ts');
  const own = { port: port === 0 ? 0 : port + 1, publicBaseUrl, clientSecret: oidcSecret };
  const issuer = keep(await startIssuer(own));
  setEnvironment({
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: issuer.clientId,
    OIDC_NAME: 'the local issuer',
    OIDC_ROLES: JSON.stringify(roleRulesFor(organizationId)),
  });
  return issuer;
}

async function prepareEnvironment(
  { setEnvironment, outerEnvironment, builtFilesFolder, env, quiet, keep }: Twin,
  addresses: Pick<EnvironmentInput, 'endpoints' | 'dnsServer' | 'publicBaseUrl'>,
  data: KeptData | undefined,
) {
  const secrets = data?.keep('secrets', secretsSchema, newSecrets) ?? newSecrets();
  const served = await serveSecrets(secrets, (changed) => data?.replace('secrets', changed));
  const { url: secretsUrl, operatorSecret, cronSecret, signingKey } = keep(served);
  setEnvironment(awsIdentity(outerEnvironment));
  const { sqs, s3 } = addresses.endpoints;
  const queues = {
    WEBHOOK_QUEUE_URL: await createWebhookQueue(sqs),
    SEND_QUEUE_URL: await createSendQueue(sqs),
    PROVIDER_EVENT_RETRY_QUEUE_URL: await createEventRetryQueue(sqs),
    TEST_EVENT_QUEUE_URL: await createTestEventQueue(sqs),
  };
  await createAttachmentsBucket(s3);
  const input = { ...addresses, builtFilesFolder, secretsUrl, providerEventsTopicArn, quiet };
  setEnvironment({
    ...functionEnvironment(input),
    ...queues,
    ...(data && { CONTACT_DIGEST_KEY: keepContactDigestKey(data) }),
    ...env,
  });
  const { oidcSecret } = secrets;
  return { queues, secrets: { operatorSecret, cronSecret, signingKey, oidcSecret } };
}

/** The gateway listens before the service is ready; until then, requests wait. */
const openGateway = (
  { port, loadHandler, receiveProviderEvent, report, account }: Twin,
  toCome: {
    readonly ready: Promise<void>;
    readonly pages: Promise<InboxPages>;
    readonly ses: Promise<SesAccountSimulation>;
  },
): Promise<LocalServer> =>
  startGateway({
    port,
    routes,
    defaultFunction,
    loadHandler: (name) => toCome.ready.then(() => loadHandler(name)),
    receiveProviderEvent: (event) => toCome.ready.then(() => receiveProviderEvent(event)),
    showLocalPage: async (page) => (await toCome.pages)(page),
    changeLocally: async (method, path, body) =>
      changeLocalDomains(await toCome.ses, method, path, body),
    reportFault: report,
    ...(account && {
      mayPass: createRouteThrottle((routeKey) => throttleOfRoute(routeKey, account)),
    }),
  });

/** Loaded late, as these modules read the environment set before. */
async function prepareService(
  dynamodbUrl: string,
  data: KeptData | undefined,
  { withPeople }: Pick<Twin, 'withPeople'>,
): Promise<LocalOrganization> {
  const [{ createTable }, { keptOrSeededOrganization }] = await Promise.all([
    import('./dynamodb/table.ts'),
    import('./seed.ts'),
  ]);
  await createTable(dynamodbUrl, tableName);
  return keptOrSeededOrganization(data, { withPeople });
}

/** They depend only on the source, so a second twin in the same process reuses them. */
const built = new Map<BuiltFileName, Promise<string>>();

/** The files that three functions' bundles have beside them. Their folder is deleted with the twin. */
function openBuiltFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'email-service-'));
  return {
    folder,
    writeFor: async (functionName: string): Promise<void> => {
      const name = declarationOf(functionName)?.builtFile;
      if (name !== undefined) writeFileSync(join(folder, name), await textOf(name));
    },
    stop: async () => rmSync(folder, { recursive: true }),
  };
}

async function textOf(name: BuiltFileName): Promise<string> {
  const { buildFile } = await import('../built-files/build-files.ts');
  const text = built.get(name) ?? buildFile(name);
  built.set(name, text);
  return text;
}

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

async function startStandIns(options: StandInsOptions): Promise<StandIns> {
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
