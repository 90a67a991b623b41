import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  type PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  type Code,
  type IFunction,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct, type IConstruct } from 'constructs';
import type { Settings } from '../settings/declaration.ts';
import { acknowledgeAnyResource } from './function-access.ts';
import { type FunctionDeclaration, memoryOf, shiftsGradually } from './function-catalogue.ts';

type ServiceFunctionProps = {
  readonly declaration: FunctionDeclaration;
  readonly code: Code;
  readonly environment: Readonly<Record<string, string>>;
  readonly config: Pick<
    Settings,
    'logRetentionDays' | 'logLevel' | 'tracing' | 'gradualDeployment' | 'attachmentsMaxTotalMb'
  >;
  readonly reservedConcurrency: number | undefined;
};

/** The role has no managed policies. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly role: Role;
  /** The alias that callers invoke, if versions shift gradually. */
  readonly alias: Alias | undefined;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { declaration, config, reservedConcurrency } = props;
    this.role = new FunctionRole(this, 'Role');
    const logGroup = new LogGroup(this, 'Logs', {
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    logGroup.grantWrite(this.role);
    this.lambda = new LambdaFunction(this, 'Lambda', {
      code: props.code,
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: Duration.seconds(declaration.timeoutSeconds),
      memorySize: memoryOf(declaration, config),
      role: this.role,
      logGroup,
      ...loggingOf(config.logLevel),
      ...(config.tracing && { tracing: Tracing.ACTIVE }),
      environment: { ...props.environment },
      ...(feedsItself(declaration) && { recursiveLoop: RecursiveLoop.ALLOW }),
      ...(reservedConcurrency && { reservedConcurrentExecutions: reservedConcurrency }),
    });
    const shifts = config.gradualDeployment && shiftsGradually(declaration);
    this.alias = shifts ? this.lambda.addAlias('live') : undefined;
    this.#acknowledge(declaration);
    if (config.tracing) acknowledgeAnyResource(this.role, "X-Ray's actions take no resource.");
  }

  /** What routes, queues, streams, topics, rules and schedules invoke. Alarms and logs cover every version. */
  get invoked(): IFunction {
    return this.alias && isFunction(this.alias) ? this.alias : this.lambda;
  }

  #acknowledge(declaration: FunctionDeclaration): void {
    Validations.of(this).acknowledge({
      id: 'Serverless-LambdaTracing',
      reason:
        "HTTP APIs start no trace, and without an instrumented SDK (X-Ray's is in maintenance) a trace would only repeat Lambda's duration metric. Logs have the request id and metrics the duration, so no role needs a permission on every resource.",
    });
    Validations.of(this).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: reasonsForNoDeadLetterQueue[declaration.trigger],
    });
  }
}

/**
 * A worker schedules its next look at a send through the queue that invokes it. After some 16 such rounds Lambda
 * assumes an endless loop, drops the message and stops the function (Lambda guide, "Use Lambda recursive loop
 * detection"). An email that SES throttles for minutes takes more rounds. This loop ends: the table enforces
 * `sendPatienceSeconds`.
 */
const feedsItself = ({ trigger, wakesSendQueue }: FunctionDeclaration): boolean =>
  trigger === 'send-queue' && wakesSendQueue === true;

/** All grants, CDK's included, are in the role itself, so the function never runs without its permissions. */
class FunctionRole extends Role {
  readonly #granted: PolicyDocument;

  constructor(scope: Construct, id: string) {
    const granted = new PolicyDocument();
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Granted: granted },
    });
    this.#granted = granted;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#granted.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}

/** Needed because with exact optional properties, CDK's `Alias` isn't assignable to `IFunction`. */
const isFunction = (construct: IConstruct): construct is IFunction => construct instanceof Alias;

/**
 * Drops Lambda's START and REPORT lines, a third of the log; those of failed invocations are warnings, and stay (Lambda
 * developer guide, "System log level event mapping"). Lambda must not filter our own lines, because they contain
 * metrics: the functions filter by `POWERTOOLS_LOG_LEVEL` themselves.
 */
const loggingOf = (logLevel: Settings['logLevel']) => ({
  loggingFormat: LoggingFormat.JSON,
  applicationLogLevelV2:
    logLevel === 'DEBUG' ? ApplicationLogLevel.DEBUG : ApplicationLogLevel.INFO,
  systemLogLevelV2: logLevel === 'DEBUG' ? SystemLogLevel.INFO : SystemLogLevel.WARN,
});

const polledFromSqs =
  'Polled from SQS, synchronously: a failed message goes back to its queue, whose redrive policy leads to a dead-letter queue.';

const reasonsForNoDeadLetterQueue: Readonly<Record<FunctionDeclaration['trigger'], string>> = {
  'http-api':
    'The HTTP API invokes it synchronously: the caller gets the error, and retries with the same idempotency key.',
  'webhook-queue': polledFromSqs,
  'test-events': polledFromSqs,
  'send-queue': polledFromSqs,
  'table-stream':
    'Polled from the stream, synchronously: a failed batch is retried, and a queue names it when Lambda gives up.',
  'provider-events':
    'Failed events go to the retry queue, its on-failure destination, together with the reason.',
  'event-rule':
    'Lambda retries failures, and an alarm rings. The daily identity check finds whatever fails for good.',
  'alarm-topic':
    'Lambda retries failures, and an alarm rings. CloudWatch keeps the state of every alarm.',
  'custom-resource':
    'CloudFormation invokes it and gets every error: the deployment fails with the reason, and is rolled back.',
  schedule: 'A failed run needs no retry: the next one finds the same work in the table.',
};
