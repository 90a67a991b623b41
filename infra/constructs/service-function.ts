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

  /** What routes, queues, streams, topics, rules and schedules invoke. Alarms and logs cover all versions. */
  get invoked(): IFunction {
    return this.alias && isFunction(this.alias) ? this.alias : this.lambda;
  }

  #acknowledge(declaration: FunctionDeclaration): void {
    Validations.of(this).acknowledge({
      id: 'Serverless-LambdaTracing',
      reason:
        "HTTP API starts no trace, and without an instrumented SDK (X-Ray's is in maintenance) a trace would only repeat Lambda's own duration metric. Logs carry the request id, metrics the duration; no role needs a permission on every resource.",
    });
    Validations.of(this).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: reasonsForNoDeadLetterQueue[declaration.trigger],
    });
  }
}

/**
 * A worker puts the next look at a send into the queue that invokes it. After some 16 such steps Lambda takes that for an
 * endless loop, drops the message and stops the function (Lambda guide, "Use Lambda recursive loop detection"), and an
 * email that SES throttles for minutes takes more. This one ends by `sendPatienceSeconds`, which the table keeps.
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
 * Drops Lambda's START and REPORT lines, a third of all that is logged; those of failed invocations are warnings, and
 * stay (Lambda developer guide, "System log level event mapping"). Lambda must not filter our own lines, as they
 * contain metrics: the functions filter by `POWERTOOLS_LOG_LEVEL` themselves.
 */
const loggingOf = (logLevel: Settings['logLevel']) => ({
  loggingFormat: LoggingFormat.JSON,
  applicationLogLevelV2:
    logLevel === 'DEBUG' ? ApplicationLogLevel.DEBUG : ApplicationLogLevel.INFO,
  systemLogLevelV2: logLevel === 'DEBUG' ? SystemLogLevel.INFO : SystemLogLevel.WARN,
});

const polledFromSqs =
  'Polled from SQS, synchronously: a message that fails goes back to its queue, whose own redrive policy leads to a dead-letter queue.';

const reasonsForNoDeadLetterQueue: Readonly<Record<FunctionDeclaration['trigger'], string>> = {
  'http-api':
    'HTTP API invokes it synchronously: a failure is answered to the caller, who retries with the same idempotency key.',
  'webhook-queue': polledFromSqs,
  'test-events': polledFromSqs,
  'send-queue': polledFromSqs,
  'table-stream':
    'Polled from the stream, synchronously: what fails is given again, and named in a queue when it is given up.',
  'provider-events':
    'Its on-failure destination takes what it fails on, with the reason, and leads to the retry queue.',
  'event-rule':
    'Lambda repeats what fails, and an alarm rings. What fails for good is found by the daily check of identities.',
  'custom-resource':
    'CloudFormation invokes it, and each fault is answered: the deployment fails with the reason, and goes back.',
  schedule:
    'A scheduled run that fails leaves nothing behind: the next one finds the same work, which stands in the table.',
};
