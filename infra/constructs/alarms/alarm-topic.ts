import { Aws, Validations } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

/** Every alarm reports here. Chat or paging can subscribe without a deployment. */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, emails: readonly string[]) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    // Enforcing TLS replaces the default topic policy, which lets alarms publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    for (const email of emails) this.#subscribe(email);
  }

  #subscribe(email: string): void {
    const subscription = this.topic.addSubscription(new EmailSubscription(email));
    Validations.of(subscription).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason:
        'Nothing is lost: CloudWatch keeps the state and history of each alarm, and a dead-letter queue of alarm emails would go unread.',
    });
  }
}
