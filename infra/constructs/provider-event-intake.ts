import { ArnFormat, Stack } from 'aws-cdk-lib';
import { Effect, PolicyStatement, StarPrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type ConfigurationSet, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { LambdaSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { DeadLetterQueue } from './dead-letter-queue.ts';

export type ProviderEventIntakeProps = {
  readonly configurationSet: ConfigurationSet;
  readonly alarmTopic: ITopic;
};

/**
 * SES → SNS → Lambda, asynchronously. An event that fails ends in the one dead-letter queue:
 *
 * | What fails                                  | Who retries               | Body in the queue    |
 * |---------------------------------------------|---------------------------|----------------------|
 * | SNS cannot reach Lambda                     | SNS, for 23 days          | SNS notification     |
 * | SNS may not invoke, or the function is gone | nobody                    | SNS notification     |
 * | Lambda is throttled, or fails around us     | Lambda, for 6 hours       | the function's event |
 * | The function throws or times out            | Lambda, after 1 and 2 min | the function's event |
 */
export class ProviderEventIntake extends Construct {
  readonly topic: Topic;
  readonly deadLetterQueue: IQueue;

  constructor(scope: Construct, id: string, props: ProviderEventIntakeProps) {
    super(scope, id);
    // Not encrypted with KMS: SES cannot use AWS's own key for SNS, and a key of ours would cost a
    // monthly fee while idle and, once disabled by mistake, silently stop every event. SNS encrypts its
    // disks anyway and holds an event for seconds.
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    this.deadLetterQueue = new DeadLetterQueue(this, 'DeadLetters', {
      impact:
        'Provider events could not be recorded: bounced or complaining recipients may still be mailed, timelines lack events, and sends of unknown outcome are not repaired. Read the errors of record-provider-event, mend the cause, and replay the queue within 14 days.',
      alarmTopic: props.alarmTopic,
    }).queue;
    this.#denyEveryOtherPublisher(props.configurationSet);
    props.configurationSet.addEventDestination('ProviderEvents', {
      destination: EventDestination.snsTopic(this.topic),
      events: [...publishedEvents],
    });
  }

  /** Delivers the events to the function, whose own failures must end in the same queue. */
  deliverTo(recordProviderEvent: IFunction): void {
    this.topic.addSubscription(
      new LambdaSubscription(recordProviderEvent, { deadLetterQueue: this.deadLetterQueue }),
    );
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
