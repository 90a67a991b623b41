import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { AlarmTopic } from './constructs/alarms/alarm-topic.ts';
import { ReputationAlarms } from './constructs/alarms/reputation-alarms.ts';
import { ServiceAlarms } from './constructs/alarms/service-alarms.ts';
import { ServiceDashboard } from './constructs/alarms/service-dashboard.ts';
import { firstAttemptBatches, senderBatches } from './constructs/concurrency.ts';
import { type DeploymentConfig, suppressionChoiceOf } from './constructs/deployment-config.ts';
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
import { ServiceHttpApi } from './constructs/service-http-api.ts';
import { AttachmentsBucket } from './constructs/stores/attachments-bucket.ts';
import { ServiceSecrets } from './constructs/stores/service-secrets.ts';
import { ServiceTable } from './constructs/stores/service-table.ts';

export class EmailServiceStack extends Stack {
  constructor(scope: Construct, id: string, config: DeploymentConfig) {
    super(scope, id, { description: 'Transactional email service' });
    const { topic: alarmTopic } = new AlarmTopic(this, 'AlarmTopic', { email: config.alarmEmail });
    const { table } = new ServiceTable(this, 'ServiceTable');
    const secrets = new ServiceSecrets(this, 'Secrets');
    const { bucket: attachmentsBucket } = new AttachmentsBucket(this, 'AttachmentsBucket');
    const suppresses = suppressionChoiceOf(config);
    const { configurationSet } = new SendingConfiguration(this, 'SendingConfiguration', suppresses);
    const providerEvents = new ProviderEventPipeline(this, 'ProviderEventPipeline', {
      configurationSet,
      alarmTopic,
    });
    const webhookDelivery = new WebhookDelivery(this, 'WebhookDelivery', {
      alarmTopic,
      concurrentBatches: firstAttemptBatches(config),
    });
    const testEvents = new TestEvents(this, 'TestEvents', { alarmTopic });
    const sendQueue = new SendQueue(this, 'SendQueue', {
      alarmTopic,
      concurrentBatches: senderBatches(config),
    });
    const usageCounting = new UsageCounting(this, 'UsageCounting', { table, alarmTopic });
    const contactListing = new ContactListing(this, 'ContactListing', { table, alarmTopic });
    const httpApi = new ServiceHttpApi(this, 'HttpApi', { config });
    const { api } = httpApi;
    const functions = new ServiceFunctions(this, 'Functions', {
      config,
      table,
      configurationSet,
      secrets,
      baseUrl: config.publicBaseUrl ?? api.apiEndpoint,
      providerEvents: {
        topicArn: providerEvents.topic.topicArn,
        retryQueue: providerEvents.retryQueue,
      },
      webhookQueue: webhookDelivery.queue,
      testEventQueue: testEvents.queue,
      sendQueue: sendQueue.queue,
      attachmentsBucket,
      entitlements: entitlementsOf(config),
    });
    providerEvents.deliverTo(functions.get('record-provider-event'));
    testEvents.deliverTo(functions.get('record-test-events'));
    webhookDelivery.deliverBy(functions.get('deliver-webhooks'));
    webhookDelivery.runEachMinute(functions.get('run-webhook-queue').lambda);
    sendQueue.sendBy(functions.get('send-queued'));
    sendQueue.runEachMinute(functions.get('run-send-queue').lambda);
    usageCounting.invoke(functions.get('count-usage'));
    contactListing.invoke(functions.get('index-contacts'));
    this.#startChecks(functions, config, alarmTopic);
    httpApi.serve(functions);
    const { retryQueue } = providerEvents;
    new ServiceAlarms(this, 'Alarms', { config, functions, api, retryQueue, alarmTopic });
    const queues = {
      'Events that failed': retryQueue,
      'Queued emails': sendQueue.queue,
      'Webhook deliveries': webhookDelivery.queue,
    };
    new ReputationAlarms(this, 'Reputation', { alarmTopic });
    new ServiceDashboard(this, 'Overview', { api, table, functions, queues });
    this.#tell({
      BaseUrl: api.apiEndpoint,
      TableName: table.tableName,
      AlarmTopicArn: alarmTopic.topicArn,
      OperatorSecretArn: secrets.operatorSecret.secretArn,
      TokenSigningKeyArn: secrets.tokenSigningKey.secretArn,
    });
  }

  #tell(outputs: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }

  /** What runs by itself, or when SES says so. */
  #startChecks(functions: ServiceFunctions, config: DeploymentConfig, alarmTopic: ITopic): void {
    new OrganizationPurge(this, 'OrganizationPurge', {
      purgeOrganizations: functions.get('purge-organizations').lambda,
      alarmTopic,
    });
    new IdentityChecks(this, 'IdentityChecks', {
      checkIdentities: functions.get('check-identities'),
      alarmTopic,
    });
    if (config.sesTenants) {
      new TenantEvents(this, 'TenantEvents', {
        checkTenant: functions.get('check-tenant').lambda,
        alarmTopic,
      });
    }
    new NoticeSending(this, 'NoticeSending', {
      sendNotices: functions.get('send-notices').lambda,
      alarmTopic,
    });
  }
}

/** The secret is shared with the other service, so it is the operator who stores it. */
function entitlementsOf({ entitlementsUrl: url, entitlementsSecretArn }: DeploymentConfig) {
  if (url === undefined) return undefined;
  if (entitlementsSecretArn === undefined) {
    throw new Error('entitlementsUrl needs an entitlementsSecretArn');
  }
  return { url, secretArn: entitlementsSecretArn };
}
