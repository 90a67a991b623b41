import { serviceVersion } from '../version.ts';

export type Endpoints = {
  readonly dynamodb: string;
  readonly sesv2: string;
  readonly sqs: string;
  readonly s3: string;
};

type Variables = Readonly<Record<string, string | undefined>>;

/** Signs in to the operators' console of the twin. */
export const localOperator = 'operator@mail.example.com';

export const tableName = 'transactional-email-local';
export const attachmentsBucketName = 'transactional-email-local-attachments';

/** Endpoints set in the environment are used instead of starting those parts. */
export const givenEndpoints = (environment: Variables): Partial<Endpoints> => ({
  ...given('dynamodb', environment['AWS_ENDPOINT_URL_DYNAMODB']),
  ...given('sesv2', environment['AWS_ENDPOINT_URL_SESV2']),
  ...given('sqs', environment['AWS_ENDPOINT_URL_SQS']),
  ...given('s3', environment['AWS_ENDPOINT_URL_S3']),
});

const given = (part: keyof Endpoints, url: string | undefined): Partial<Endpoints> =>
  url === undefined || url === '' ? {} : { [part]: url };

/** A developer's own stand-ins may need credentials. */
export const awsIdentity = (environment: Variables): Record<string, string> => {
  const bringsOwn = Object.keys(givenEndpoints(environment)).length > 0;
  const own = bringsOwn ? environment : {};
  return {
    AWS_REGION: own['AWS_REGION'] ?? 'us-east-1',
    AWS_ACCESS_KEY_ID: own['AWS_ACCESS_KEY_ID'] ?? 'local',
    AWS_SECRET_ACCESS_KEY: own['AWS_SECRET_ACCESS_KEY'] ?? 'local',
    AWS_SESSION_TOKEN: own['AWS_SESSION_TOKEN'] ?? 'local',
    // Otherwise the SDK would ignore these and use the developer's own profile.
    AWS_PROFILE: '',
  };
};

export const secretIds = {
  tokenSigningKey: 'local/token-signing-key',
  operatorSecret: 'local/operator-secret',
  cronSecret: 'local/cron-secret',
  entitlementsSecret: 'local/entitlements-secret',
  oidcSecret: 'local/oidc-secret',
} as const;

export type EnvironmentInput = {
  readonly endpoints: Endpoints;
  readonly secretsUrl: string;
  readonly publicBaseUrl: string;
  readonly providerEventsTopicArn: string;
  readonly dnsServer?: string;
  readonly builtFilesFolder: string;
  readonly quiet: boolean;
};

export function functionEnvironment(input: EnvironmentInput): Record<string, string> {
  const { endpoints, quiet } = input;
  return {
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SESV2: endpoints.sesv2,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    // The twin's SES takes any rate, and all of its workers are in one process.
    QUEUED_SENDS_PER_SECOND: '200',
    SEND_RATE_SHARE: '1',
    TABLE_NAME: tableName,
    CONFIGURATION_SET_NAME: 'local',
    SES_IDENTITIES_ARN: 'arn:aws:ses:us-east-1:000000000000:identity',
    // The twin's SES takes any number of calls, so there's no need to wait after publishing a record.
    SES_ANSWER_SECONDS: '0',
    PROVIDER_EVENTS_TOPIC_ARN: input.providerEventsTopicArn,
    // Receivers in development run on this machine, without TLS.
    WEBHOOK_ALLOW_LOOPBACK_HTTP: 'true',
    // So do browsers, and some don't keep TLS-only cookies.
    PLAIN_HTTP_SESSIONS: 'true',
    PUBLIC_BASE_URL: input.publicBaseUrl,
    OPERATORS: localOperator,
    // Their links come from the deployment.
    NOTICE_FROM_EMAIL: 'service@mail.example.com',
    // Browsers and curl resolve these to this machine.
    LINK_DOMAINS: '*.localhost',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: input.secretsUrl,
    TOKEN_SIGNING_SECRET_ID: secretIds.tokenSigningKey,
    OPERATOR_SECRET_ID: secretIds.operatorSecret,
    CRON_SECRET_ID: secretIds.cronSecret,
    // Only used with ENTITLEMENTS_URL.
    ENTITLEMENTS_SECRET_ID: secretIds.entitlementsSecret,
    // Only used with OIDC_ISSUER.
    OIDC_SECRET_ID: secretIds.oidcSecret,
    OIDC_ALLOW_LOOPBACK_HTTP: 'true',
    ATTACHMENTS_BUCKET_URL: `${endpoints.s3}/${attachmentsBucketName}`,
    ...(input.dnsServer !== undefined && { DNS_SERVER: input.dnsServer }),
    BUILT_FILES_FOLDER: input.builtFilesFolder,
    SERVICE_VERSION: serviceVersion,
    POWERTOOLS_SERVICE_NAME: 'transactional-email',
    POWERTOOLS_METRICS_NAMESPACE: 'TransactionalEmail',
    POWERTOOLS_LOG_LEVEL: quiet ? 'SILENT' : 'INFO',
    POWERTOOLS_METRICS_DISABLED: String(quiet),
  };
}

/** @returns restores them. */
export function setEnvironment(variables: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
