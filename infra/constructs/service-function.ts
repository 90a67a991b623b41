import { Duration, Validations } from 'aws-cdk-lib';
import {
  Architecture,
  type Code,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionDeclaration } from './function-catalogue.ts';
import { FunctionRole } from './function-role.ts';

export type ServiceFunctionProps = {
  readonly declaration: FunctionDeclaration;
  readonly code: Code;
  readonly environment: Readonly<Record<string, string>>;
  readonly logRetention: RetentionDays;
  readonly reservedConcurrency: number | undefined;
};

/** One function of the service: its code, its own role without any managed policy, its own log group. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly role: FunctionRole;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { declaration, reservedConcurrency } = props;
    this.role = new FunctionRole(this, 'Role');
    const logGroup = new LogGroup(this, 'Logs', { retention: props.logRetention });
    logGroup.grantWrite(this.role);
    this.lambda = new LambdaFunction(this, 'Lambda', {
      code: props.code,
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: Duration.seconds(declaration.timeoutSeconds),
      memorySize: declaration.memoryMegabytes,
      role: this.role,
      logGroup,
      environment: { ...props.environment },
      ...(reservedConcurrency && { reservedConcurrentExecutions: reservedConcurrency }),
    });
    this.#acknowledge(declaration);
  }

  #acknowledge(declaration: FunctionDeclaration): void {
    Validations.of(this).acknowledge({
      id: 'Serverless-LambdaTracing',
      reason:
        "HTTP API starts no trace, and without an instrumented SDK (X-Ray's is in maintenance) a trace would only repeat the REPORT line. Logs and metrics carry request id and duration; no role needs a permission on every resource.",
    });
    Validations.of(this).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: reasonsForNoDeadLetterQueue[declaration.trigger],
    });
  }
}

/** What becomes of a failed invocation, where no dead-letter queue of the function's own takes it. */
const reasonsForNoDeadLetterQueue: Readonly<Record<FunctionDeclaration['trigger'], string>> = {
  'http-api':
    'HTTP API invokes it synchronously: a failure is answered to the caller, who retries with the same idempotency key.',
  'webhook-queue':
    'Polled from SQS, synchronously: a message that fails goes back to its queue, whose own redrive policy leads to a dead-letter queue.',
  'test-events':
    'Polled from SQS, synchronously: a message that fails goes back to its queue, whose own redrive policy leads to a dead-letter queue.',
  'send-queue':
    'Polled from SQS, synchronously: a message that fails goes back to its queue, whose own redrive policy leads to a dead-letter queue.',
  'table-stream':
    'Polled from the stream, synchronously: what fails is given again, and named in a queue when it is given up.',
  'provider-events':
    'Its on-failure destination takes what it fails on, with the reason, and leads to the retry queue.',
  'event-rule':
    'Lambda repeats what fails, and an alarm rings. What fails for good is found by the daily check of identities.',
  schedule:
    'A scheduled run that fails leaves nothing behind: the next one finds the same work, which stands in the table.',
};
