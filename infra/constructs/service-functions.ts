import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IConfigurationSet } from 'aws-cdk-lib/aws-ses';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type * as z from 'zod';
import type {
  providerEventEnvironment,
  sendingEnvironment,
  tableEnvironment,
  tokenEnvironment,
} from '#shared/config/environment';
import type { DeploymentConfig } from './deployment-config.ts';
import { grantReadSecret, grantSendEmail, grantTableAccess } from './function-access.ts';
import {
  type FunctionDeclaration,
  type FunctionName,
  functionCatalogue,
} from './function-catalogue.ts';
import { ServiceFunction } from './service-function.ts';

export type ServiceFunctionsProps = {
  readonly config: DeploymentConfig;
  readonly table: Table;
  readonly configurationSet: IConfigurationSet;
  readonly tokenSigningKey: Secret;
  /** Where the links in mails lead, without a trailing slash. */
  readonly baseUrl: string;
  readonly providerEvents: { readonly topicArn: string; readonly deadLetterQueue: IQueue };
};

type Variables<Schema extends z.ZodObject> = Partial<Record<keyof z.infer<Schema>, string>>;

/** Every function of the catalogue, with the environment and the permissions its entry declares. */
export class ServiceFunctions extends Construct {
  readonly #functions = new Map<FunctionName, ServiceFunction>();
  readonly #props: ServiceFunctionsProps;

  constructor(scope: Construct, id: string, props: ServiceFunctionsProps) {
    super(scope, id);
    this.#props = props;
    const declarations: readonly (FunctionDeclaration & { name: FunctionName })[] =
      functionCatalogue;
    for (const declaration of declarations) {
      this.#functions.set(declaration.name, this.#create(declaration));
    }
  }

  get(name: FunctionName): ServiceFunction {
    const found = this.#functions.get(name);
    if (found === undefined) throw new Error(`No function ${name} in the catalogue`);
    return found;
  }

  #create(declaration: FunctionDeclaration): ServiceFunction {
    const { config, table, configurationSet, tokenSigningKey, providerEvents } = this.#props;
    const isAsynchronous = declaration.trigger === 'provider-events';
    const serviceFunction = new ServiceFunction(this, declaration.name, {
      declaration,
      environment: this.#environment(declaration),
      logRetention: config.logRetentionDays,
      deadLetterQueue: isAsynchronous ? providerEvents.deadLetterQueue : undefined,
    });
    grantTableAccess(serviceFunction.role, table, declaration);
    if (declaration.readsTokenSigningKey) grantReadSecret(serviceFunction.role, tokenSigningKey);
    if (declaration.sendsEmail) {
      assertDoubtOutlastsSend(config, declaration);
      grantSendEmail(serviceFunction.role, configurationSet);
    }
    return serviceFunction;
  }

  #environment(declaration: FunctionDeclaration): Record<string, string> {
    const { config, table, configurationSet, tokenSigningKey, baseUrl, providerEvents } =
      this.#props;
    const always: Variables<typeof tableEnvironment> & Record<string, string> = {
      TABLE_NAME: table.tableName,
      POWERTOOLS_SERVICE_NAME: 'transactional-email',
      POWERTOOLS_METRICS_NAMESPACE: 'TransactionalEmail',
      POWERTOOLS_LOG_LEVEL: config.logLevel,
      NODE_OPTIONS: '--enable-source-maps',
    };
    const signing: Variables<typeof tokenEnvironment> = {
      TOKEN_SIGNING_SECRET_ID: tokenSigningKey.secretArn,
    };
    const sending: Variables<typeof sendingEnvironment> = {
      PUBLIC_BASE_URL: baseUrl,
      CONFIGURATION_SET_NAME: configurationSet.configurationSetName,
      DOUBT_WINDOW_SECONDS: String(config.doubtWindowSeconds),
      IDEMPOTENCY_RETENTION_DAYS: String(config.idempotencyRetentionDays),
    };
    const intake: Variables<typeof providerEventEnvironment> = {
      PROVIDER_EVENTS_TOPIC_ARN: providerEvents.topicArn,
    };
    return {
      ...always,
      ...(declaration.readsTokenSigningKey && signing),
      ...(declaration.sendsEmail && sending),
      ...(declaration.trigger === 'provider-events' && intake),
    };
  }
}

/** Else a retry could send again while the first attempt is still talking to SES. */
function assertDoubtOutlastsSend(config: DeploymentConfig, declaration: FunctionDeclaration): void {
  if (config.doubtWindowSeconds > declaration.timeoutSeconds) return;
  throw new Error(
    `doubtWindowSeconds (${config.doubtWindowSeconds}) must exceed the timeout of ${declaration.name} (${declaration.timeoutSeconds} s)`,
  );
}
