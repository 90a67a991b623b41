import { Aws } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { IConfigurationSet } from 'aws-cdk-lib/aws-ses';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type * as environments from '#shared/config/environment';
import type { SecretName } from '#shared/endpoints/lambda';
import { type Settings, suppressionChoiceOf } from '../settings/declaration.ts';
import { serviceVersion } from '../version.ts';
import { metricsNamespace, serviceNameOf } from './alarms/service-metric.ts';
import { sendRateShare, slowFetchesAtOnce } from './concurrency.ts';
import type { FunctionDeclaration } from './function-catalogue.ts';
import type { ServiceSecrets } from './stores/service-secrets.ts';

export type FunctionSurroundings = {
  readonly config: Settings;
  readonly table: Table;
  readonly configurationSet: IConfigurationSet;
  readonly secrets: Pick<ServiceSecrets, SecretName | 'contactDigestKey'>;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly providerEvents: { readonly topicArn: string; readonly retryQueue: IQueue };
  readonly webhookQueue: IQueue;
  readonly testEventQueue: IQueue;
  readonly sendQueue: IQueue;
  readonly attachmentsBucket: Bucket;
  /** An external service that decides who may attach files. */
  readonly entitlements?: { readonly url: string; readonly secretArn: string } | undefined;
};

type Schemas = (typeof environments)[keyof typeof environments];
type Variable = Schemas extends infer Schema
  ? Schema extends { readonly shape: infer Shape }
    ? keyof Shape
    : never
  : never;
type Variables = Readonly<Partial<Record<Variable, string | undefined>>>;

export function environmentOf(
  declaration: FunctionDeclaration,
  surroundings: FunctionSurroundings,
): Record<string, string> {
  const { environment, builtFile, readsSecrets = [] } = declaration;
  const named = Object.keys(environment?.shape ?? {});
  const values: Readonly<Record<string, string | undefined>> = valuesOf(surroundings);
  const knowsSecrets =
    readsSecrets.length > 0 ||
    (surroundings.entitlements && named.includes('ENTITLEMENTS_SECRET_ID')) ||
    (surroundings.config.oidc && named.includes('OIDC_SECRET_ID')) ||
    (surroundings.config.alarmTargetsSecretArn && named.includes('ALARM_TARGETS_SECRET_ID'));
  return defined({
    ...ofAll(surroundings),
    ...Object.fromEntries(named.map((name) => [name, values[name]])),
    ...secretIds(readsSecrets, surroundings),
    ...(knowsSecrets && secretsManager),
    ...(builtFile && builtFiles),
  });
}

const defined = (values: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

const ofAll = ({ table, secrets, config }: FunctionSurroundings) =>
  ({
    TABLE_NAME: table.tableName,
    SERVICE_VERSION: serviceVersion,
    POWERTOOLS_SERVICE_NAME: serviceNameOf(table),
    POWERTOOLS_METRICS_NAMESPACE: metricsNamespace,
    POWERTOOLS_LOG_LEVEL: config.logLevel,
    // A dynamic reference: the template only names the secret, and CloudFormation gives the function its value.
    CONTACT_DIGEST_KEY: secrets.contactDigestKey.secretValue.unsafeUnwrap(),
    ORGANIZATION_LIMITS: config.organizationLimits && JSON.stringify(config.organizationLimits),
    LINK_DOMAINS: linkDomains(config),
    OPERATORS: operators(config),
  }) satisfies Variables & Record<string, string | undefined>;

/** All functions get the list, as every endpoint must know whether a request came to a link domain. */
const linkDomains = ({ linkDomains }: Settings): string | undefined =>
  linkDomains.length === 0 ? undefined : linkDomains.map(({ name }) => name).join(',');

/** All functions compare with it whoever is signed in as an operator, so that a removal counts with the deployment. */
const operators = ({ operators }: Settings): string | undefined =>
  operators.length === 0 ? undefined : operators.join(',');

/** Where Lambda unpacks a function (Lambda developer guide, "Defined runtime environment variables"). */
const builtFiles = { BUILT_FILES_FOLDER: '/var/task' } satisfies Variables;

const secretVariables = {
  tokenSigningKey: 'TOKEN_SIGNING_SECRET_ID',
  cronSecret: 'CRON_SECRET_ID',
  operatorSecret: 'OPERATOR_SECRET_ID',
} as const satisfies Record<SecretName, string>;

const secretIds = (names: readonly SecretName[], { secrets }: FunctionSurroundings) =>
  Object.fromEntries(names.map((name) => [secretVariables[name], secrets[name].secretArn]));

/** In the deployment's Region, in any partition. */
const secretsManager = {
  AWS_ENDPOINT_URL_SECRETS_MANAGER: `https://secretsmanager.${Aws.REGION}.${Aws.URL_SUFFIX}`,
};

/** Variables without a value here have defaults, or are set by Lambda. */
const valuesOf = ({ config, entitlements, ...surroundings }: FunctionSurroundings): Variables => ({
  WEBHOOK_QUEUE_URL: surroundings.webhookQueue.queueUrl,
  SEND_RETENTION_DAYS: String(config.sendRetentionDays),
  PREFERENCES_BY_ADDRESS: String(config.preferencesByAddress),
  PROXIES_IN_FRONT: String(config.proxiesInFront),
  CONSOLE_KEY_SIGN_IN: String(config.consoleKeySignIn),
  WEBHOOK_MAX_ATTEMPTS: String(config.webhookMaxAttempts),
  WEBHOOKS_PER_SECOND_AND_HOST: String(config.webhooksPerSecondAndHost),
  PUBLIC_BASE_URL: surroundings.baseUrl,
  LINK_DOMAINS: linkDomains(config),
  CONFIGURATION_SET_NAME: surroundings.configurationSet.configurationSetName,
  DOUBT_WINDOW_SECONDS: String(config.doubtWindowSeconds),
  TEST_EVENT_QUEUE_URL: surroundings.testEventQueue.queueUrl,
  SEND_QUEUE_URL: surroundings.sendQueue.queueUrl,
  SEND_PATIENCE_SECONDS: String(config.sendPatienceSeconds),
  QUEUED_SENDS_PER_SECOND:
    config.queuedSendsPerSecond === undefined ? undefined : String(config.queuedSendsPerSecond),
  SEND_RATE_SHARE: String(sendRateShare(config)),
  NOTICE_FROM_EMAIL: config.noticeFromEmail,
  SES_IDENTITIES_ARN: `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:identity`,
  SES_PRICE_PLAN: config.sesPricePlan,
  SES_TENANTS: String(config.sesTenants),
  SES_SUPPRESSES: suppressionChoiceOf(config),
  PROVIDER_EVENTS_TOPIC_ARN: surroundings.providerEvents.topicArn,
  PROVIDER_EVENT_RETRY_QUEUE_URL: surroundings.providerEvents.retryQueue.queueUrl,
  ATTACHMENTS_BUCKET_URL: `https://${surroundings.attachmentsBucket.bucketRegionalDomainName}`,
  ATTACHMENTS_MAX_COUNT: String(config.attachmentsMaxCount),
  ATTACHMENTS_MAX_TOTAL_MB: String(config.attachmentsMaxTotalMb),
  SLOW_FETCHES_AT_ONCE: String(slowFetchesAtOnce(config)),
  ENTITLEMENTS_URL: entitlements?.url,
  ENTITLEMENTS_SECRET_ID: entitlements?.secretArn,
  ALARM_TARGETS_SECRET_ID: config.alarmTargetsSecretArn,
  OIDC_NAME: config.oidc?.name,
  OIDC_ISSUER: config.oidc?.issuer,
  OIDC_CLIENT_ID: config.oidc?.clientId,
  OIDC_SECRET_ID: config.oidc?.clientSecretArn,
  OIDC_ROLES: config.oidc && JSON.stringify(config.oidc.roles),
});
