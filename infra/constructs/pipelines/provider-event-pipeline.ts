import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Effect, PolicyStatement, StarPrincipal } from 'aws-cdk-lib/aws-iam';
import { EventInvokeConfig, EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { type ConfigurationSet, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { LambdaSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { grantPollMessages, grantPostponeMessages, grantSendMessages } from '../function-access.ts';
import type { ServiceFunction } from '../service-function.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { eventRetrySettings } from './event-retry-settings.ts';

export type ProviderEventPipelineProps = {
  readonly configurationSet: ConfigurationSet;
  readonly alarmTopic: ITopic;
};

/**
 * SES → SNS → Lambda, asynchronously, is the fast path. What it fails on goes to the retry queue, which
 * invokes the same function again and again, for a day and longer:
 *
 * | What fails                                  | Who puts it into the retry queue   | As                    |
 * |---------------------------------------------|------------------------------------|-----------------------|
 * | The function throws, dies or times out      | Lambda, at once                    | Lambda's record of it |
 * | Lambda throttles the function               | Lambda, after a minute             | Lambda's record of it |
 * | SNS cannot reach Lambda                     | SNS, after its own tries           | SNS notification      |
 * | SNS may not invoke, or the function is gone | SNS, at once                       | SNS notification      |
 *
 * Lambda writes to an on-failure destination and not to a dead-letter queue of the function, as its guide
 * recommends: the record says why and when the invocation failed ("Capturing records of asynchronous
 * invocations"). It makes no tries of its own, since those would be minutes apart.
 *
 * What fails in the end goes to the dead letters of the retry queue. They came from a queue, so SQS's own
 * redrive brings them back (SQS guide, "Configuring a dead-letter queue redrive").
 */
export class ProviderEventPipeline extends Construct {
  readonly topic: Topic;
  readonly retryQueue: Queue;

  constructor(scope: Construct, id: string, props: ProviderEventPipelineProps) {
    super(scope, id);
    // Not encrypted with KMS: SES cannot use AWS's own key for SNS, and a key of ours would cost a
    // monthly fee while idle and, once disabled by mistake, silently stop every event. SNS encrypts its
    // disks anyway and holds an event for seconds.
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    this.retryQueue = this.#createRetryQueue(props.alarmTopic);
    this.#denyEveryOtherPublisher(props.configurationSet);
    props.configurationSet.addEventDestination('ProviderEvents', {
      destination: EventDestination.snsTopic(this.topic),
      events: [...publishedEvents],
    });
  }

  #createRetryQueue(alarmTopic: ITopic): Queue {
    const deadLetters = new DeadLetterQueue(this, 'DeadLetters', {
      impact:
        'Provider events could not be recorded for a day: bounced or complaining recipients may still be mailed, timelines lack events, and sends of unknown outcome are not repaired. Read the errors of record-provider-event and fix the cause. Then start the redrive of this queue (SQS console, "Start DLQ redrive", or aws sqs start-message-move-task) within 12 days. Events that are recorded already change nothing.',
      alarmTopic,
    });
    const { visibilityTimeoutSeconds, maxReceiveCount, retentionDays } = eventRetrySettings;
    return new Queue(this, 'RetryQueue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(retentionDays),
      visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds),
      deadLetterQueue: { queue: deadLetters.queue, maxReceiveCount },
    });
  }

  /** Delivers the events to the function, from the topic, and from the retry queue those that failed. */
  deliverTo({ lambda, role }: ServiceFunction): void {
    this.topic.addSubscription(
      new LambdaSubscription(lambda, { deadLetterQueue: this.retryQueue }),
    );
    grantSendMessages(role, this.retryQueue);
    new EventInvokeConfig(this, 'Failures', {
      function: lambda,
      retryAttempts: 0,
      maxEventAge: Duration.seconds(eventRetrySettings.maxEventAgeSeconds),
      // Its permission is there already, without the queue's attributes that CDK's own would add.
      onFailure: { bind: () => ({ destination: this.retryQueue.queueArn }) },
    });
    grantPollMessages(role, this.retryQueue);
    grantPostponeMessages(role, this.retryQueue);
    const mapping = new EventSourceMapping(this, 'Retries', {
      target: lambda,
      eventSourceArn: this.retryQueue.queueArn,
      batchSize: eventRetrySettings.batchSize,
      reportBatchItemFailures: true,
      maxConcurrency: eventRetrySettings.concurrentBatches,
    });
    Validations.of(mapping).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason:
        "For streams, which have no dead-letter queue: of a queue, the queue's own redrive policy leads to one.",
    });
  }

  /**
   * The event destination lets SES publish for this configuration set. Within an account that alone
   * excludes nobody: any role with `sns:Publish` could forge a complaint, and so suppress an address.
   */
  #denyEveryOtherPublisher(configurationSet: ConfigurationSet): void {
    const configurationSetArn = Stack.of(this).formatArn({
      service: 'ses',
      resource: 'configuration-set',
      resourceName: configurationSet.configurationSetName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'OnlyOurConfigurationSetPublishes',
        effect: Effect.DENY,
        principals: [new StarPrincipal()],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringNotEquals: { 'aws:SourceArn': configurationSetArn } },
      }),
    );
  }
}

/** Opens and clicks are the service's own tracking: SES's would rewrite every link a second time. */
const publishedEvents = [
  EmailSendingEvent.SEND,
  EmailSendingEvent.DELIVERY,
  EmailSendingEvent.BOUNCE,
  EmailSendingEvent.COMPLAINT,
  EmailSendingEvent.REJECT,
  EmailSendingEvent.RENDERING_FAILURE,
  EmailSendingEvent.DELIVERY_DELAY,
] as const;
