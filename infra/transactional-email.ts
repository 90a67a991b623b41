import { CfnOutput, Fn, Stack, Token } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Alarm, Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { ConfigurationSet } from 'aws-cdk-lib/aws-ses';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { AlarmForwarding } from './constructs/alarms/alarm-forwarding.ts';
import { AlarmTopic } from './constructs/alarms/alarm-topic.ts';
import { ReputationAlarms } from './constructs/alarms/reputation-alarms.ts';
import { ServiceAlarm } from './constructs/alarms/service-alarm.ts';
import { ServiceAlarms } from './constructs/alarms/service-alarms.ts';
import { ServiceDashboard } from './constructs/alarms/service-dashboard.ts';
import { firstAttemptBatches, senderBatches } from './constructs/concurrency.ts';
import { CustomDomains } from './constructs/custom-domains.ts';
import { logicalPrefixOf } from './constructs/endpoint-stack.ts';
import { GradualDeployments } from './constructs/gradual-deployments.ts';
import { ContactListing } from './constructs/pipelines/contact-listing.ts';
import { IdentityChecks } from './constructs/pipelines/identity-checks.ts';
import { NoticeSending } from './constructs/pipelines/notice-sending.ts';
import { OrganizationPurge } from './constructs/pipelines/organization-purge.ts';
import { ProviderEventPipeline } from './constructs/pipelines/provider-event-pipeline.ts';
import { SendQueue } from './constructs/pipelines/send-queue.ts';
import { SendingConfiguration } from './constructs/pipelines/sending-configuration.ts';
import { TenantEvents } from './constructs/pipelines/tenant-events.ts';
import { TestEvents } from './constructs/pipelines/test-events.ts';
import { UsageCounting } from './constructs/pipelines/usage-counting.ts';
import { WebhookDelivery } from './constructs/pipelines/webhook-delivery.ts';
import { ServiceFunctions } from './constructs/service-functions.ts';
import { iamSendPathOf, ServiceHttpApi } from './constructs/service-http-api.ts';
import { ContentBucket } from './constructs/stores/content-bucket.ts';
import { ServiceSecrets } from './constructs/stores/service-secrets.ts';
import { ServiceTable } from './constructs/stores/service-table.ts';
import { EmailOrganization, type EmailOrganizationProps } from './email-organization.ts';
import { type Settings, type SettingsProps, suppressionChoiceOf } from './settings/declaration.ts';
import { settings } from './settings/settings.ts';

export type TransactionalEmailProps = SettingsProps;
export type {
  EmailDomain,
  EmailDomainProps,
  EmailOrganization,
  EmailOrganizationProps,
} from './email-organization.ts';

/** On whose behalf to send: an organization that the app declares, or an API key's id. */
export type SendGrant = { readonly organization: EmailOrganization } | { readonly apiKey: string };

/**
 * The service, in any stack of an app. One per stack, because metrics, logs and alarms carry the stack's name.
 *
 * It uses some 200 of the 500 resources that CloudFormation allows per stack; the endpoints are in nested stacks.
 */
export class TransactionalEmail extends Construct {
  /** The API's address: `https://…`, without a trailing slash. */
  readonly url: string;
  readonly api: HttpApi;
  /** Deletion protection is on, and the table outlives the stack. */
  readonly table: Table;
  readonly alarmTopic: Topic;
  readonly dashboard: Dashboard;
  readonly #httpApi: ServiceHttpApi;
  readonly #functions: ServiceFunctions;

  constructor(scope: Construct, id: string, props: TransactionalEmailProps = {}) {
    super(scope, id);
    assertAlone(this);
    const config = settings(props);
    const alarmEmails = [config.alarmEmail ?? []].flat();
    const { topic: alarmTopic } = new AlarmTopic(this, 'AlarmTopic', alarmEmails);
    const key = encryptionKeyOf(this, config);
    const { table } = new ServiceTable(this, 'ServiceTable', key);
    const secrets = new ServiceSecrets(this, 'Secrets', key);
    const { bucket: attachmentsBucket } = new ContentBucket(this, 'AttachmentsBucket', key);
    const suppresses = suppressionChoiceOf(config);
    const { configurationSet } = new SendingConfiguration(this, 'SendingConfiguration', suppresses);
    const pipelines = createPipelines(this, { config, configurationSet, table, alarmTopic });
    const { topic, retryQueue } = pipelines.providerEvents;
    const webhookQueue = pipelines.webhookDelivery.queue;
    const sendQueue = pipelines.sendQueue.queue;
    const httpApi = new ServiceHttpApi(this, 'HttpApi', config);
    const { api, anonymousRequests, throttledRequests } = httpApi;
    const baseUrl = baseUrlOf(config, api);
    const functions = new ServiceFunctions(this, 'Functions', {
      config,
      table,
      configurationSet,
      secrets,
      baseUrl,
      providerEvents: { topicArn: topic.topicArn, retryQueue },
      webhookQueue,
      testEventQueue: pipelines.testEvents.queue,
      sendQueue,
      attachmentsBucket,
      entitlements: entitlementsOf(config),
    });
    startPipelines(pipelines, functions);
    this.#startChecks(functions, config, alarmTopic);
    httpApi.serve(functions);
    const requests = { anonymousRequests, throttledRequests };
    const watching = { config, functions, api, ...requests, retryQueue, alarmTopic };
    const { ofVersions: alarms } = new ServiceAlarms(this, 'Alarms', watching);
    if (config.gradualDeployment) {
      new GradualDeployments(this, 'GradualDeployments', { functions, alarms, alarmTopic });
    }
    const queues = {
      'Queued emails': sendQueue,
      'Webhook deliveries': webhookQueue,
    };
    new ReputationAlarms(this, 'Reputation', { alarmTopic });
    const overview = new ServiceDashboard(this, 'Overview', {
      api,
      anonymousRequests,
      table,
      functions,
      retryQueue,
      queues,
    });
    this.#output({
      BaseUrl: api.apiEndpoint,
      PublicBaseUrl: baseUrl,
      ...this.#openDomains(httpApi, config),
      SesPricePlan: config.sesPricePlan,
      TableName: table.tableName,
      AlarmTopicArn: alarmTopic.topicArn,
      OperatorSecretArn: secrets.operatorSecret.secretArn,
      TokenSigningKeyArn: secrets.tokenSigningKey.secretArn,
    });
    this.#httpApi = httpApi;
    this.#functions = functions;
    this.url = api.apiEndpoint;
    this.api = api;
    this.table = table;
    this.alarmTopic = alarmTopic;
    this.dashboard = overview.dashboard;
  }

  /**
   * Declares an organization, created with the deployment. Keep the id: a different one declares a different
   * organization.
   */
  organization(id: string, props: EmailOrganizationProps = {}): EmailOrganization {
    const functions = this.#functions;
    return new EmailOrganization(this, id, props, {
      lambdaOf: (name) => functions.declaring(name).lambda,
      allowGivingBack: () => functions.allowGivingBack(),
    });
  }

  /**
   * Lets a function, or any role in this account, send with its own credentials: it signs `POST` requests to `sendUrl`
   * with Signature Version 4 for `execute-api`. Name an API key by its id, which isn't secret: its organization,
   * scopes, allowed senders and caps apply, and revoking it ends all sending with it. An organization that the app
   * declares has such a key.
   */
  grantSend(grantee: IGrantable, grant: SendGrant): Grant {
    const apiKey = apiKeyOf(grant);
    return Grant.addToPrincipal({
      grantee,
      actions: ['execute-api:Invoke'],
      resourceArns: [this.#httpApi.arnOfIamSend(this.#functions.get('send-email'), apiKey)],
    });
  }

  /** Where roles with `grantSend` send. Takes and answers the same as `POST /api/v1/emails/send`. */
  sendUrl(sender: string | EmailOrganization): string {
    const apiKey = typeof sender === 'string' ? sender : sender.apiKeyId;
    return `${this.url}${iamSendPathOf(apiKey)}`;
  }

  get alarms(): readonly Alarm[] {
    return this.node.findAll().filter((construct) => construct instanceof ServiceAlarm);
  }

  #openDomains({ api, stage }: ServiceHttpApi, { domain, linkDomains }: Settings) {
    const domains = [...(domain ? [domain] : []), ...linkDomains];
    if (domains.length === 0) return {};
    const { records } = new CustomDomains(this, 'CustomDomains', { api, stage, domains });
    return records.length === 0 ? {} : { DnsRecords: Fn.join(', ', [...records]) };
  }

  /** `manage` finds the outputs by these names. */
  #output(outputs: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(outputs)) {
      new CfnOutput(this, name, { value }).overrideLogicalId(`${logicalPrefixOf(this)}${name}`);
    }
  }

  /** Checks that run by schedule, or when SES sends an event. */
  #startChecks(functions: ServiceFunctions, config: Settings, alarmTopic: Topic): void {
    new OrganizationPurge(this, 'OrganizationPurge', {
      purgeOrganizations: functions.get('purge-organizations'),
      alarmTopic,
    });
    new IdentityChecks(this, 'IdentityChecks', {
      checkIdentities: functions.get('check-identities'),
      alarmTopic,
    });
    if (config.sesTenants) {
      new TenantEvents(this, 'TenantEvents', {
        checkTenant: functions.get('check-tenant'),
        alarmTopic,
      });
    }
    if (config.alarmTargetsSecretArn) {
      new AlarmForwarding(this, 'AlarmForwarding', {
        forwardAlarms: functions.get('forward-alarms'),
        alarmTopic,
      });
    }
    new NoticeSending(this, 'NoticeSending', {
      sendNotices: functions.get('send-notices'),
      alarmTopic,
    });
  }
}

type PipelineSurroundings = {
  readonly config: Settings;
  readonly configurationSet: ConfigurationSet;
  readonly table: Table;
  readonly alarmTopic: Topic;
};

/** Created before the functions, which need to know the queues. */
const createPipelines = (
  scope: Construct,
  { config, configurationSet, table, alarmTopic }: PipelineSurroundings,
) => ({
  providerEvents: new ProviderEventPipeline(scope, 'ProviderEventPipeline', {
    configurationSet,
    alarmTopic,
  }),
  webhookDelivery: new WebhookDelivery(scope, 'WebhookDelivery', {
    alarmTopic,
    concurrentBatches: firstAttemptBatches(config),
  }),
  testEvents: new TestEvents(scope, 'TestEvents', { alarmTopic }),
  sendQueue: new SendQueue(scope, 'SendQueue', {
    alarmTopic,
    concurrentBatches: senderBatches(config),
  }),
  usageCounting: new UsageCounting(scope, 'UsageCounting', { table, alarmTopic }),
  contactListing: new ContactListing(scope, 'ContactListing', { table, alarmTopic }),
});

function startPipelines(
  pipelines: ReturnType<typeof createPipelines>,
  functions: ServiceFunctions,
): void {
  const { providerEvents, testEvents, webhookDelivery, sendQueue } = pipelines;
  providerEvents.deliverTo(functions.get('record-provider-event'));
  testEvents.deliverTo(functions.get('record-test-events'));
  webhookDelivery.deliverBy(functions.get('deliver-webhooks'));
  webhookDelivery.runEachMinute(functions.get('retry-due-webhooks'));
  sendQueue.sendBy(functions.get('send-queued'));
  sendQueue.runEachMinute(functions.get('run-send-queue'));
  pipelines.usageCounting.invoke(functions.get('count-usage'));
  pipelines.contactListing.invoke(functions.get('index-contacts'));
}

const encryptionKeyOf = (scope: Construct, { encryptionKeyArn }: Settings): IKey | undefined =>
  encryptionKeyArn === undefined
    ? undefined
    : Key.fromKeyArn(scope, 'EncryptionKey', encryptionKeyArn);

const baseUrlOf = ({ publicBaseUrl, domain }: Settings, { apiEndpoint }: HttpApi): string =>
  publicBaseUrl ?? (domain === undefined ? apiEndpoint : `https://${domain.name}`);

function entitlementsOf({ entitlementsUrl: url, entitlementsSecretArn: secretArn }: Settings) {
  return url === undefined || secretArn === undefined ? undefined : { url, secretArn };
}

function apiKeyOf(grant: SendGrant): string {
  if ('organization' in grant) return grant.organization.apiKeyId;
  const { apiKey } = grant;
  if (Token.isUnresolved(apiKey) || /^key_[a-z0-9]+$/.test(apiKey)) return apiKey;
  throw new Error('grantSend: apiKey must be the id of an API key (key_…), not its secret');
}

function assertAlone(email: TransactionalEmail): void {
  const stack = Stack.of(email);
  const isOther = (one: unknown) => one instanceof TransactionalEmail && one !== email;
  if (!stack.node.findAll().some((one) => isOther(one) && Stack.of(one) === stack)) return;
  throw new Error(
    `The stack ${stack.stackName} already has a TransactionalEmail: move this one to its own stack`,
  );
}
