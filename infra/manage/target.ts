import type { AwsAccount, AwsChoice } from './aws/aws-account.ts';
import { readStackOutputs } from './aws/deployment.ts';
import { openSecret, type VersionedSecret } from './aws/secrets.ts';
import { exitCodes, Failure, usageFailure } from './failure.ts';
import { findTwinFile, givenPortOf, readServiceUrl } from './service-address.ts';
import type { Surroundings } from './surroundings.ts';

export type TargetOptions = {
  readonly url?: string;
  readonly local?: boolean;
  readonly stack?: string;
  readonly profile?: string;
  readonly region?: string;
};

export type Target = {
  readonly name: string;
  readonly kind: 'url' | 'twin' | 'stack';
  readonly baseUrl: string;
  /** Where people reach it, if that's different. */
  readonly publicBaseUrl?: string | undefined;
  /** Only a target that comes with a key has this. */
  key?(): Promise<string>;
  operatorSecret?(): Promise<string>;
  signingKey?(): VersionedSecret;
  /** For what the API can't tell. */
  readonly deployment?: Deployment;
  /** What the operator's DNS needs: "host CNAME target, …". */
  readonly dnsRecords?: string | undefined;
  readonly sesPricePlan?: string | undefined;
  readonly whenSilent: string;
};

export type Deployment = { readonly account: AwsAccount; readonly stackName: string };

const defaultStack = 'EmailService';

/**
 * Looks at the option, then `EMAIL_SERVICE_URL`, then the running twin, then the stack in the environment's AWS
 * account.
 *
 * @throws Failure with the ways to name it.
 */
export async function findTarget(
  options: TargetOptions,
  surroundings: Surroundings,
): Promise<Target> {
  const { environment } = surroundings;
  const { url, local = false, stack, profile, region } = options;
  const namesStack = [stack, profile, region].some((option) => option !== undefined);
  if ([url !== undefined, local, namesStack].filter(Boolean).length > 1) {
    throw usageFailure(
      'Use only one of --url, --local, and --stack (with --profile and --region).',
    );
  }
  const stackTarget = () =>
    readStackTarget({ ...options, stack: stack ?? defaultStack }, surroundings);
  if (url !== undefined) return urlTarget(url);
  if (namesStack) return stackTarget();
  if (local) return requireTwin(surroundings);

  const givenUrl = environment['EMAIL_SERVICE_URL'];
  if (givenUrl !== undefined && givenUrl !== '') return urlTarget(givenUrl);
  const twin = findTwin(surroundings);
  if (twin !== undefined) return twin;
  const hasAccount = environment['AWS_PROFILE'] ?? environment['AWS_ACCESS_KEY_ID'];
  if (hasAccount) return stackTarget();
  throw usageFailure(
    `Which service? Use --url https://…, or --stack and --profile for a stack in AWS, or start the local server with npm start.${ofGivenPort(surroundings)}`,
  );
}

/** PORT may be meant for another program. */
function ofGivenPort(surroundings: Surroundings): string {
  const port = givenPortOf(surroundings);
  return port === undefined
    ? ''
    : ` PORT is ${port}, but no local server in this checkout uses that port.`;
}

function urlTarget(text: string): Target {
  const baseUrl = readServiceUrl(text);
  return { name: baseUrl, kind: 'url', baseUrl, whenSilent: 'Is the URL right?' };
}

function requireTwin(surroundings: Surroundings): Target {
  const twin = findTwin(surroundings);
  if (twin !== undefined) return twin;
  const message = `No local server runs in this checkout: start it with npm start.${ofGivenPort(surroundings)}`;
  throw new Failure(exitCodes.unavailable, 'no_twin', message);
}

function findTwin(surroundings: Surroundings): Target | undefined {
  const found = findTwinFile(surroundings);
  if (found === undefined) return undefined;
  const { baseUrl, manageKey, operatorSecret, signingKey } = found;
  return {
    name: `the local server at ${baseUrl}`,
    kind: 'twin',
    baseUrl,
    key: async () => manageKey,
    operatorSecret: async () => operatorSecret,
    signingKey: () => openSecret(twinAccount(signingKey.secretsManagerUrl), signingKey.secretId),
    whenSilent: 'Is the local server running? Start it with npm start.',
  };
}

/** The twin's Secrets Manager requires a signature, but takes any. */
const twinAccount = (endpoint: string): AwsAccount => ({
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  endpoint,
});

/** Uses the stack's outputs. The operator secret is read when needed. */
async function readStackTarget(
  { stack, profile, region }: AwsChoice & { readonly stack: string },
  { openAwsAccount }: Pick<Surroundings, 'openAwsAccount'>,
): Promise<Target> {
  const account = await openAwsAccount({
    ...(profile !== undefined && { profile }),
    ...(region !== undefined && { region }),
  });
  const outputs = await readStackOutputs(account, stack);
  const baseUrl = outputs['BaseUrl'];
  if (baseUrl === undefined) {
    const message = `The stack ${stack} in ${account.region} has no output BaseUrl: is it this service, and is it deployed?`;
    throw new Failure(exitCodes.notFound, 'no_base_url', message);
  }
  return {
    name: `stack ${stack} in ${account.region}`,
    kind: 'stack',
    baseUrl,
    publicBaseUrl: outputs['PublicBaseUrl'],
    operatorSecret: async () =>
      (await openSecret(account, requireOutput(outputs, 'OperatorSecretArn')).read()).text,
    signingKey: () => openSecret(account, requireOutput(outputs, 'TokenSigningKeyArn')),
    deployment: { account, stackName: stack },
    dnsRecords: outputs['DnsRecords'],
    sesPricePlan: outputs['SesPricePlan'],
    whenSilent: 'Is the stack deployed?',
  };
}

function requireOutput(outputs: Readonly<Record<string, string>>, name: string): string {
  const value = outputs[name];
  if (value !== undefined) return value;
  const message = `The stack has no output ${name}: deploy this version first (npx cdk deploy).`;
  throw new Failure(exitCodes.notFound, 'no_output', message);
}
