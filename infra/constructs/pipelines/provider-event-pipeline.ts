import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Effect, PolicyStatement, StarPrincipal } from 'aws-cdk-lib/aws-iam';
import { EventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { type ConfigurationSet, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { LambdaSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { grantPostponeMessages, grantSendMessages } from '../function-access.ts';
import type { ServiceFunction } from '../service-function.ts';
import { eventRetrySettings } from './queue-settings.ts';
import { createWorkQueue, invokeFrom } from './work-queue.ts';

type ProviderEventPipelineProps = {
  readonly configurationSet: ConfigurationSet;
  readonly alarmTopic: ITopic;
};

/**
 * SES → SNS → Lambda, asynchronously, is the fast path. Failures go to the retry queue, which keeps invoking the same
 * function for a day and longer:
 *
 * | What fails                                  | Put into the retry queue by       | As                    |
 * |---------------------------------------------|------------------------------------|-----------------------|
 * | The function throws, dies or times out      | Lambda, at once                    | Lambda's record of it |
 * | Lambda throttles the function               | Lambda, after a minute             | Lambda's record of it |
 * | SNS cannot reach Lambda                     | SNS, after its own tries           | SNS notification      |
 * | SNS may not invoke, or the function is gone | SNS, at once                       | SNS notification      |
 *
 * Lambda writes to an on-failure destination, not to a dead-letter queue, as its guide recommends: the record says why
 * and when the invocation failed ("Capturing records of asynchronous invocations"). Lambda doesn't retry, as its tries
 * would be minutes apart.
 *
 * What fails in the end goes to the retry queue's dead letters, which SQS's own redrive can bring back (SQS guide,
 * "Configuring a dead-letter queue redrive").
 */
export class ProviderEventPipeline extends Construct {
  readonly topic: Topic;
  readonly retryQueue: Queue;

  constructor(scope: Construct, id: string, props: ProviderEventPipelineProps) {
    super(scope, id);
    // Not encrypted with KMS: SES can't use AWS's own key for SNS, and a key of ours would cost a monthly fee while
    // idle and, if disabled by mistake, silently stop every event. SNS encrypts its disks anyway and holds an event for
    // seconds.
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    this.retryQueue = this.#createRetryQueue(props.alarmTopic);
    this.#denyEveryOtherPublisher(props.configurationSet);
    props.configurationSet.addEventDestination('ProviderEvents', {
      destination: EventDestination.snsTopic(this.topic),
      events: [...publishedEvents],
    });
  }

  #createRetryQueue(alarmTopic: ITopic): Queue {
    return createWorkQueue(this, 'RetryQueue', eventRetrySettings, {
      impact:
        "SES events couldn't be recorded for a day: bounced or complaining recipients may still be mailed, and sends in doubt stay unresolved.",
      firstStep:
        'Read the errors of record-provider-event and fix the cause, then redrive this queue within 12 days (aws sqs start-message-move-task).',
      alarmTopic,
    });
  }

  /** From the topic and from the retry queue. SNS invokes the function by IAM, so there's no signature to check. */
  deliverTo(recordProviderEvent: ServiceFunction): void {
    const { lambda, alias, invoked, role } = recordProviderEvent;
    this.topic.addSubscription(
      new LambdaSubscription(invoked, { deadLetterQueue: this.retryQueue }),
    );
    grantSendMessages(role, this.retryQueue);
    const failures = new EventInvokeConfig(this, 'Failures', {
      function: lambda,
      ...(alias && { qualifier: alias.aliasName }),
      retryAttempts: 0,
      maxEventAge: Duration.seconds(eventRetrySettings.maxEventAgeSeconds),
      // The role has the permission, without access to the queue's attributes that CDK's grant would add.
      onFailure: { bind: () => ({ destination: this.retryQueue.queueArn }) },
    });
    if (alias) {
      failures.node.addDependency(alias);
      Validations.of(alias).acknowledge({
        id: 'CloudFormation-Validate::W3694',
        reason:
          'SNS can deliver to an alias just as to a function (SNS API reference, "Subscribe").',
      });
    }
    invokeFrom(this.retryQueue, this, 'Retries', recordProviderEvent, {
      batchSize: eventRetrySettings.batchSize,
      maxConcurrency: eventRetrySettings.concurrentBatches,
    });
    grantPostponeMessages(role, this.retryQueue);
  }

  /**
   * The event destination lets SES publish for this configuration set. That's not enough within an account: any role
   * with `sns:Publish` could forge a complaint and suppress an address.
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

/** The service tracks opens and clicks itself: SES's tracking would rewrite every link again. */
const publishedEvents = [
  EmailSendingEvent.SEND,
  EmailSendingEvent.DELIVERY,
  EmailSendingEvent.BOUNCE,
  EmailSendingEvent.COMPLAINT,
  EmailSendingEvent.REJECT,
  EmailSendingEvent.RENDERING_FAILURE,
  EmailSendingEvent.DELIVERY_DELAY,
] as const;
