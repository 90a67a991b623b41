import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import {
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import {
  type IRole,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Alias, IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { FunctionName } from '../../functions/endpoints.ts';
import { ServiceAlarm } from './alarms/service-alarm.ts';
import {
  type FunctionDeclaration,
  functionCatalogue,
  shiftsGradually,
} from './function-catalogue.ts';
import type { ServiceFunctions } from './service-functions.ts';

type GradualDeploymentsProps = {
  readonly functions: ServiceFunctions;
  /** The alarms on the API's answers and on stored items: either one rolls back every function. */
  readonly alarms: readonly Alarm[];
  readonly alarmTopic: ITopic;
};

type Shifting = { readonly alias: Alias; readonly lambda: IFunction; readonly alarms: Alarm[] };

/**
 * Shifts each alias to the new version by a tenth a minute, and back at once when an alarm goes off; CloudFormation
 * then rolls back the whole update. Both versions run during the shift, so each must read what the other stored.
 */
export class GradualDeployments extends Construct {
  constructor(scope: Construct, id: string, props: GradualDeploymentsProps) {
    super(scope, id);
    const shifting = functionCatalogue.filter(shiftsGradually).flatMap((declaration) => {
      const { alias, lambda } = props.functions.get(declaration.name);
      if (alias === undefined) return [];
      const own = runsByItself(declaration)
        ? [this.#dies(declaration.name, lambda, props.alarmTopic)]
        : [];
      return [{ alias, lambda, alarms: [...props.alarms, ...own] }];
    });
    for (const [stack, ofStack] of Map.groupBy(shifting, ({ alias }) => Stack.of(alias))) {
      const home = stack === Stack.of(this) ? this : new Construct(stack, `${stack.node.id}${id}`);
      shiftTogether(home, ofStack);
    }
  }

  /**
   * For functions whose failures don't show in the API's answers. Work that the previous version failed at too, such as
   * a few bad messages, doesn't ring: see `serveQueue` and `countAttempts`.
   */
  #dies(name: FunctionName, lambda: IFunction, alarmTopic: ITopic): Alarm {
    return new ServiceAlarm(this, `${name}-errors`, {
      metric: lambda.metricErrors({ statistic: 'Sum', period: Duration.minutes(5) }),
      threshold: 3,
      impact: `${name} crashed 3 times in 5 minutes, or failed at all its work: a deployment in progress is rolled back, and none starts while this rings.`,
      firstStep: `Read the errors of ${name}, by version.`,
      runbook: 'a-deployment-is-rolled-back',
      alarmTopic,
    });
  }
}

/** `retry-due-webhooks` has a route, but also a schedule. */
const runsByItself = ({ trigger, deliversWebhooks }: FunctionDeclaration): boolean =>
  trigger !== 'http-api' || deliversWebhooks === true;

/** The application and role are for this stack's functions only. */
function shiftTogether(home: Construct, shifting: readonly Shifting[]): void {
  const application = new LambdaApplication(home, 'Application');
  const role = deploymentRole(home, shifting);
  let before: LambdaDeploymentGroup | undefined;
  for (const { alias, alarms } of shifting) {
    const group = new LambdaDeploymentGroup(alias, 'Deployments', {
      application,
      alias,
      role,
      alarms,
      deploymentConfig: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
    });
    // One after another, because CodeDeploy throttles (aws/aws-cdk#21516).
    if (before) group.node.addDependency(before);
    before = group;
  }
}

/** CodeDeploy's managed policy, restricted to these functions. */
function deploymentRole(home: Construct, shifting: readonly Shifting[]): IRole {
  const role = new Role(home, 'Role', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    inlinePolicies: {
      ShiftVersions: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: ['lambda:GetAlias', 'lambda:UpdateAlias'],
            resources: shifting.map(({ lambda }) => lambda.functionArn),
          }),
          new PolicyStatement({
            actions: ['cloudwatch:DescribeAlarms', 'lambda:GetProvisionedConcurrencyConfig'],
            resources: ['*'],
          }),
        ],
      }),
    },
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'CodeDeploy reads alarms under any name, and the provisioned concurrency of versions whose numbers come later. Both are read-only.',
  });
  return role.withoutPolicyUpdates();
}
