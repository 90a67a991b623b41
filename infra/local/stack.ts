import { randomBytes } from 'node:crypto';
import { functionCatalogue } from '../constructs/function-catalogue.ts';
import { routes } from '../routes.ts';
import type { HandlerLoader } from './function-invocation.ts';
import { startGateway } from './gateway.ts';
import { createHandlerLoader } from './handler-loader.ts';
import {
  awsIdentity,
  type Endpoints,
  functionEnvironment,
  givenEndpoints,
  secretIds,
  setEnvironment,
  tableName,
} from './local-environment.ts';
import type { LocalServer } from './local-server.ts';
import { createProviderEventIntake } from './provider-events.ts';
import { startSecrets } from './secrets.ts';
import type { LocalOrganization } from './seed.ts';
import type { SesEvent } from './ses-events.ts';
import { type StandIns, startStandIns } from './stand-ins.ts';

export type LocalStackOptions = {
  /** Of the API; 0, the default, for a free one. */
  readonly port?: number;
  /** Drops the functions' log lines and metrics. */
  readonly quiet?: boolean;
  /** Whether SES's events are published; without them the functions talk to the mailbox directly. */
  readonly providerEvents?: boolean;
  /** Set for the functions on top of what the twin sets, or instead of it. */
  readonly env?: Readonly<Record<string, string>>;
};

/** What `.local/stack.json` holds. */
export type StackDescription = {
  readonly baseUrl: string;
  readonly organizationId: string;
  readonly apiKey: string;
  readonly manageKey: string;
  readonly operatorSecret: string;
  readonly cronSecret: string;
  readonly fromEmail: string;
  readonly inboxUrl: string;
  readonly tableName: string;
  readonly endpoints: Endpoints;
};

export type LocalStack = {
  readonly description: StackDescription;
  stop(): Promise<void>;
};

/**
 * Starts the whole service in this process, beside it only DynamoDB Local. The functions read
 * `process.env`, so one process runs one twin at a time.
 *
 * @throws StartFailure when a port is taken, or Java is missing or too old.
 */
export async function startLocalStack(options: LocalStackOptions = {}): Promise<LocalStack> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const stopPart of stops.splice(0).reverse()) await stopPart();
  };
  try {
    return { description: await start(options, stops), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const providerEventsTopicArn = 'arn:aws:sns:us-east-1:000000000000:local-provider-events';

async function start(
  { port = 0, quiet = false, providerEvents = true, env = {} }: LocalStackOptions,
  stops: (() => unknown)[],
): Promise<StackDescription> {
  const environment = { ...process.env, ...env };
  const ready = Promise.withResolvers<void>();
  const load = createHandlerLoader();
  const publish = createProviderEventIntake(load, providerEventsTopicArn);
  const report = quiet ? () => {} : (...fault: readonly unknown[]) => console.error(...fault);
  const keep = <Part extends LocalServer>(part: Part): Part => {
    stops.push(part.stop);
    return part;
  };

  // First of all: a taken port should not cost anybody the time of the rest.
  const { url: baseUrl } = keep(
    await startGateway({
      port,
      routes,
      loadHandler: (name) => ready.promise.then(() => load(name)),
      receiveProviderEvent: (event) => ready.promise.then(() => publish(event)),
      reportFault: report,
    }),
  );
  const reportDropped = ({ eventType }: SesEvent, error: unknown) =>
    report(`${eventType} event dropped`, error);
  const given = givenEndpoints(environment);
  const standIns = await startStandIns({ given, providerEvents, publish, reportDropped, keep });
  const { endpoints, inboxUrl } = standIns;
  const secrets = { operatorSecret: newSecret(), cronSecret: newSecret() };
  const { url: secretsUrl } = keep(await startSecrets(byId(secrets)));
  const variables = functionEnvironment({
    endpoints,
    secretsUrl,
    publicBaseUrl: baseUrl,
    providerEventsTopicArn,
    quiet,
  });
  stops.push(setEnvironment({ ...awsIdentity(environment), ...variables, ...env }));
  const organization = await prepareService(standIns, load);
  ready.resolve();
  return { baseUrl, ...organization, ...secrets, inboxUrl, tableName, endpoints };
}

/** Loads the functions and creates and fills the table, all in the environment set before. */
async function prepareService(standIns: StandIns, load: HandlerLoader): Promise<LocalOrganization> {
  const { seedLocalOrganization } = await import('./seed.ts');
  await Promise.all([prepareTable(standIns), ...functionCatalogue.map(({ name }) => load(name))]);
  return seedLocalOrganization();
}

async function prepareTable({ ready, endpoints }: StandIns): Promise<void> {
  const { createTable, synthesiseTable } = await import('./local-table.ts');
  const properties = await synthesiseTable();
  await ready;
  await createTable(endpoints.dynamodb, tableName, properties);
}

const newSecret = (): string => randomBytes(32).toString('base64url');

const byId = ({ operatorSecret, cronSecret }: Record<'operatorSecret' | 'cronSecret', string>) => ({
  [secretIds.tokenSigningKey]: JSON.stringify({ current: 'k1', k1: newSecret() }),
  [secretIds.operatorSecret]: operatorSecret,
  [secretIds.cronSecret]: cronSecret,
});
