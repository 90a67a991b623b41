import { Aws, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Schedule,
  ScheduleExpression,
  ScheduleGroup,
  ScheduleTargetInput,
} from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';

export type WebhookScheduleProps = {
  readonly runWebhookQueue: IFunction;
};

/**
 * Runs the webhook retry queue each minute. A run that fails is not repeated and leaves nothing behind:
 * the next one, a minute later, finds the same rows, and an alarm rings when none succeeds.
 */
export class WebhookSchedule extends Construct {
  constructor(scope: Construct, id: string, { runWebhookQueue }: WebhookScheduleProps) {
    super(scope, id);
    // Left behind, its name would be taken when the stack is deployed again.
    const group = new ScheduleGroup(this, 'Group', { removalPolicy: RemovalPolicy.DESTROY });
    const role = this.#schedulerRole(group, runWebhookQueue);
    new Schedule(this, 'EachMinute', {
      description: 'Runs the webhook retry queue',
      scheduleGroup: group,
      schedule: ScheduleExpression.rate(Duration.minutes(1)),
      target: new LambdaInvoke(runWebhookQueue, {
        input: ScheduleTargetInput.fromObject({ scheduledRun: true }),
        // Its permission is complete, and for this function alone, without its versions and aliases.
        role: role.withoutPolicyUpdates(),
        retryAttempts: 0,
        maxEventAge: Duration.minutes(1),
      }),
    });
    // The scheduler invokes asynchronously, so the function's own errors are Lambda's to repeat.
    runWebhookQueue.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    Validations.of(runWebhookQueue).acknowledge({
      id: 'Serverless-LambdaAsyncFailureDestination',
      reason:
        'A scheduled run that fails leaves nothing to repeat: the next one finds the same rows a minute later, and an alarm rings when none succeeds for five.',
    });
  }

  /** Assumed by the schedules of this group only (EventBridge Scheduler guide, "Confused deputy prevention"). */
  #schedulerRole(group: ScheduleGroup, runWebhookQueue: IFunction): Role {
    return new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: {
            'aws:SourceAccount': Aws.ACCOUNT_ID,
            'aws:SourceArn': group.scheduleGroupArn,
          },
        },
      }),
      // In the role itself, so that no run begins before its permission is there.
      inlinePolicies: {
        InvokeRun: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: [runWebhookQueue.functionArn],
            }),
          ],
        }),
      },
    });
  }
}
