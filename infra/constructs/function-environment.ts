import { Aws } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { IConfigurationSet } from 'aws-cdk-lib/aws-ses';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type * as z from 'zod/mini';
import type {
  attachmentEnvironment,
  bucketEnvironment,
  builtFileEnvironment,
  contactEnvironment,
  deliveryEnvironment,
  identityEnvironment,
  limitsEnvironment,
  noticeEnvironment,
  outboxEnvironment,
  providerEventEnvironment,
  retentionEnvironment,
  sendingEnvironment,
  sendQueueEnvironment,
  suppressionListEnvironment,
  tableEnvironment,
  workerEnvironment,
} from '#shared/config/environment';
import type { SecretName } from '#shared/endpoints/lambda';
import { metricsNamespace, serviceNameOf } from './alarms/service-metric.ts';
import { sendRateShare } from './concurrency.ts';
import { type DeploymentConfig, suppressionChoiceOf } from './deployment-config.ts';
import type { FunctionDeclaration } from './function-catalogue.ts';
import type { ServiceSecrets } from './stores/service-secrets.ts';

/** What the functions work with. */
export type FunctionSurroundings = {
  readonly config: DeploymentConfig;
  readonly table: Table;
  readonly configurationSet: IConfigurationSet;
  readonly secrets: Pick<ServiceSecrets, SecretName | 'contactDigestKey'>;
  /** Where the links in mails lead, without a trailing slash. */
  readonly baseUrl: string;
  readonly providerEvents: { readonly topicArn: string; readonly retryQueue: IQueue };
  readonly webhookQueue: IQueue;
  readonly testEventQueue: IQueue;
  readonly sendQueue: IQueue;
  readonly attachmentsBucket: Bucket;
  /** The external service that knows who may attach. */
  readonly entitlements?: { readonly url: string; readonly secretArn: string } | undefined;
};

type Variables<Schema extends z.ZodMiniObject> = Partial<Record<keyof z.infer<Schema>, string>>;

/** The variables that the function's `handler.ts` parses. */
export function environmentOf(
  declaration: FunctionDeclaration,
  surroundings: FunctionSurroundings,
): Record<string, string> {
  const always: Variables<typeof tableEnvironment> & Record<string, string> = {
    TABLE_NAME: surroundings.table.tableName,
    POWERTOOLS_SERVICE_NAME: serviceNameOf(surroundings.table),
    POWERTOOLS_METRICS_NAMESPACE: metricsNamespace,
    POWERTOOLS_LOG_LEVEL: surroundings.config.logLevel,
    // A dynamic reference: the template names the secret, and CloudFormation puts the value into the function.
    CONTACT_DIGEST_KEY: surroundings.secrets.contactDigestKey.secretValue.unsafeUnwrap(),
    ...limits(surroundings),
  };
  return {
    ...always,
    ...secretIds(declaration, surroundings),
    ...(knowsWebhookQueue(declaration) && outbox(surroundings)),
    ...(declaration.takesBareAddresses && bareAddresses(surroundings)),
    ...(declaration.knowsRetention && retention(surroundings)),
    ...(declaration.deliversWebhooks && delivery(surroundings)),
    ...(declaration.sendsEmail && sending(surroundings)),
    ...(declaration.sendsTestEmail && testEvents(surroundings)),
    ...(declaration.sendsNotices && notices(surroundings)),
    ...(declaration.attachmentsBucket && attachments(surroundings)),
    ...(declaration.contents && bucket(surroundings)),
    ...(looksAfterDomains(declaration) && identities(surroundings)),
    ...(declaration.suppressedDestinations && suppressionLists(surroundings)),
    ...(declaration.trigger === 'provider-events' && intake(surroundings)),
    ...(declaration.wakesSendQueue && sendQueue(surroundings)),
    ...(declaration.sendsWaiting && workers(surroundings)),
    ...(declaration.builtFile && builtFiles),
  };
}

/** Most functions enforce no limit; having it does no harm. */
const limits = ({ config }: FunctionSurroundings): Variables<typeof limitsEnvironment> =>
  config.organizationLimits === undefined
    ? {}
    : { ORGANIZATION_LIMITS: JSON.stringify(config.organizationLimits) };

/** Where Lambda unpacks a function (Lambda developer guide, "Defined runtime environment variables"). */
const builtFiles: Variables<typeof builtFileEnvironment> = { BUILT_FILES_FOLDER: '/var/task' };

const secretVariables = {
  tokenSigningKey: 'TOKEN_SIGNING_SECRET_ID',
  cronSecret: 'CRON_SECRET_ID',
  operatorSecret: 'OPERATOR_SECRET_ID',
} as const satisfies Record<SecretName, string>;

const secretIds = ({ readsSecrets }: FunctionDeclaration, { secrets }: FunctionSurroundings) =>
  readsSecrets && {
    ...secretsManager,
    ...Object.fromEntries(
      readsSecrets.map((name) => [secretVariables[name], secrets[name].secretArn]),
    ),
  };

/** Its address in the deployment's Region, in any partition. */
const secretsManager = {
  AWS_ENDPOINT_URL_SECRETS_MANAGER: `https://secretsmanager.${Aws.REGION}.${Aws.URL_SUFFIX}`,
};

/** Functions behind the links in emails share one wiring, whether they write or only show. */
const knowsWebhookQueue = ({ wakesWebhookQueue, readsSecrets }: FunctionDeclaration): boolean =>
  wakesWebhookQueue === true || readsSecrets?.includes('tokenSigningKey') === true;

/** Functions that only query the account need just its Region, which Lambda sets. */
const looksAfterDomains = ({ sesActions = [] }: FunctionDeclaration): boolean =>
  sesActions.some((action) => action !== 'GetAccount');

const outbox = ({
  webhookQueue,
  config,
}: Pick<FunctionSurroundings, 'webhookQueue' | 'config'>): Variables<typeof outboxEnvironment> => ({
  WEBHOOK_QUEUE_URL: webhookQueue.queueUrl,
  ...retention({ config }),
});

const retention = ({
  config,
}: Pick<FunctionSurroundings, 'config'>): Variables<typeof retentionEnvironment> => ({
  SEND_RETENTION_DAYS: String(config.sendRetentionDays),
});

const bareAddresses = ({ config }: FunctionSurroundings): Variables<typeof contactEnvironment> => ({
  PREFERENCES_BY_ADDRESS: String(config.preferencesByAddress),
  PROXIES_IN_FRONT: String(config.proxiesInFront),
});

const delivery = ({ config }: FunctionSurroundings): Variables<typeof deliveryEnvironment> => ({
  WEBHOOK_MAX_ATTEMPTS: String(config.webhookMaxAttempts),
});

const sending = (surroundings: FunctionSurroundings): Variables<typeof sendingEnvironment> => ({
  PUBLIC_BASE_URL: surroundings.baseUrl,
  CONFIGURATION_SET_NAME: surroundings.configurationSet.configurationSetName,
  SES_TENANTS: String(surroundings.config.sesTenants),
  DOUBT_WINDOW_SECONDS: String(surroundings.config.doubtWindowSeconds),
});

const testEvents = ({
  testEventQueue,
}: FunctionSurroundings): Variables<typeof sendingEnvironment> => ({
  TEST_EVENT_QUEUE_URL: testEventQueue.queueUrl,
});

const sendQueue = ({
  config,
  sendQueue: { queueUrl },
}: Pick<FunctionSurroundings, 'config' | 'sendQueue'>): Variables<typeof sendQueueEnvironment> => ({
  SEND_QUEUE_URL: queueUrl,
  SEND_PATIENCE_SECONDS: String(config.sendPatienceSeconds),
});

const workers = (surroundings: FunctionSurroundings): Variables<typeof workerEnvironment> => ({
  ...sendQueue(surroundings),
  ...(surroundings.config.queuedSendsPerSecond !== undefined && {
    QUEUED_SENDS_PER_SECOND: String(surroundings.config.queuedSendsPerSecond),
  }),
  SEND_RATE_SHARE: String(sendRateShare(surroundings.config)),
});

const notices = ({ config }: FunctionSurroundings): Variables<typeof noticeEnvironment> =>
  config.noticeFromEmail === undefined ? {} : { NOTICE_FROM_EMAIL: config.noticeFromEmail };

const identities = ({
  configurationSet,
  ...surroundings
}: FunctionSurroundings): Variables<typeof identityEnvironment> => ({
  ...outbox(surroundings),
  CONFIGURATION_SET_NAME: configurationSet.configurationSetName,
  SES_IDENTITIES_ARN: `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:identity`,
  SES_TENANTS: String(surroundings.config.sesTenants),
  SES_SUPPRESSES: suppressionChoiceOf(surroundings.config),
});

const suppressionLists = ({
  config,
}: FunctionSurroundings): Variables<typeof suppressionListEnvironment> => ({
  SES_TENANTS: String(config.sesTenants),
});

const intake = ({
  providerEvents,
}: FunctionSurroundings): Variables<typeof providerEventEnvironment> => ({
  PROVIDER_EVENTS_TOPIC_ARN: providerEvents.topicArn,
  PROVIDER_EVENT_RETRY_QUEUE_URL: providerEvents.retryQueue.queueUrl,
});

const bucket = ({
  attachmentsBucket,
}: Pick<FunctionSurroundings, 'attachmentsBucket'>): Variables<typeof bucketEnvironment> => ({
  ATTACHMENTS_BUCKET_URL: `https://${attachmentsBucket.bucketRegionalDomainName}`,
});

const attachments = ({
  config,
  entitlements,
  ...surroundings
}: FunctionSurroundings): Variables<typeof attachmentEnvironment> => ({
  ...bucket(surroundings),
  ATTACHMENTS_MAX_COUNT: String(config.attachmentsMaxCount),
  ATTACHMENTS_MAX_TOTAL_MB: String(config.attachmentsMaxTotalMb),
  ...(entitlements && {
    ENTITLEMENTS_URL: entitlements.url,
    ENTITLEMENTS_SECRET_ID: entitlements.secretArn,
    ...secretsManager,
  }),
});
