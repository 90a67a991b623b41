import { Aws, type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
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

type FunctionScheduleProps = {
  readonly lambda: IFunction;
  readonly every: Duration;
  readonly description: string;
  /** Why a failed run needs no dead-letter queue. */
  readonly whyNothingIsLost: string;
};

/**
 * Invokes a function with `{scheduledRun: true}`. A failed run isn't repeated: the next one finds the same work in the
 * table.
 */
export class FunctionSchedule extends Construct {
  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    super(scope, id);
    const { lambda, every } = props;
    // A group left behind would keep its name when the stack is deployed again.
    const group = new ScheduleGroup(this, 'Group', { removalPolicy: RemovalPolicy.DESTROY });
    const role = this.#schedulerRole(group, lambda);
    new Schedule(this, 'Rate', {
      description: props.description,
      scheduleGroup: group,
      schedule: ScheduleExpression.rate(every),
      target: new LambdaInvoke(lambda, {
        input: ScheduleTargetInput.fromObject({ scheduledRun: true }),
        // The role has a permission for this function only, not its versions and aliases.
        role: role.withoutPolicyUpdates(),
        retryAttempts: 0,
        maxEventAge: every,
      }),
    });
    // The scheduler invokes asynchronously, so Lambda would otherwise retry after errors.
    lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: every });
    Validations.of(lambda).acknowledge({
      id: 'Serverless-LambdaAsyncFailureDestination',
      reason: props.whyNothingIsLost,
    });
  }

  /** Only this group's schedules can assume it (EventBridge Scheduler guide, "Confused deputy prevention"). */
  #schedulerRole(group: ScheduleGroup, lambda: IFunction): Role {
    return new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: {
            'aws:SourceAccount': Aws.ACCOUNT_ID,
            'aws:SourceArn': group.scheduleGroupArn,
          },
        },
      }),
      // In the role itself, so that no run starts before the permission exists.
      inlinePolicies: {
        InvokeRun: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: [lambda.functionArn],
            }),
          ],
        }),
      },
    });
  }
}
