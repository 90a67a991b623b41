import type { SESv2Client } from '@aws-sdk/client-sesv2';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';

type Call = {
  /** As the signature names it, and the host begins. */
  readonly service: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};
export type AwsAnswer = { readonly status: number; readonly text: string };

/** An AWS account in one Region, with the credentials that the AWS CLI would take. */
export type AwsAccount = {
  readonly region: string;
  /** Signs and sends a request. */
  call(call: Call): Promise<AwsAnswer>;
  openSes(): SESv2Client;
};

/**
 * Opens the account of a profile: by the SDK's own chain, so that single sign-on and roles work too. The SDK
 * has clients for more services, which a few signed requests spare the checkout.
 *
 * @throws Failure without a Region.
 */
export async function openAwsAccount(choice: {
  readonly profile?: string;
  readonly region?: string;
}): Promise<AwsAccount> {
  // It takes long to load, and most commands do not need it.
  const { SESv2Client } = await import('@aws-sdk/client-sesv2');
  const ses = new SESv2Client(choice);
  const region = await regionOf(ses);
  const call = signedCaller({
    region,
    credentials: () => credentialsOf(ses),
    endpointOf: (service) => endpointOf(service, region),
  });
  return { region, call, openSes: () => ses };
}

type Signing = {
  readonly region: string;
  credentials(): Promise<{ readonly accessKeyId: string; readonly secretAccessKey: string }>;
  endpointOf(service: string): string;
};

/** Source: IAM guide, "Create a signed AWS API request". */
export const signedCaller =
  ({ region, credentials, endpointOf }: Signing): AwsAccount['call'] =>
  async ({ service, headers, body }) => {
    const url = new URL('/', endpointOf(service));
    const signer = new SignatureV4({
      service,
      region,
      credentials: await credentials(),
      sha256: Sha256,
    });
    const signed = await signer.sign({
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname,
      ...(url.port !== '' && { port: Number(url.port) }),
      path: url.pathname,
      query: {},
      headers: { host: url.host, ...headers },
      body,
    });
    // `fetch` sets the host itself.
    const { host: _, ...sent } = signed.headers;
    return answerOf(url, sent, body);
  };

/** The variables by which the SDKs let an endpoint be replaced. */
const endpointOf = (service: string, region: string): string => {
  const ids: Record<string, string> = {
    secretsmanager: 'SECRETS_MANAGER',
    monitoring: 'CLOUDWATCH',
  };
  const given = process.env[`AWS_ENDPOINT_URL_${ids[service] ?? service.toUpperCase()}`];
  return given ?? `https://${service}.${region}.${dnsSuffixOf(region)}`;
};

/** AWS partitions have domains of their own. */
function dnsSuffixOf(region: string): string {
  if (region.startsWith('cn-')) return 'amazonaws.com.cn';
  if (region.startsWith('eusc-')) return 'amazonaws.eu';
  return 'amazonaws.com';
}

async function answerOf(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<AwsAnswer> {
  try {
    const signal = AbortSignal.timeout(20_000);
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    return { status: response.status, text: await response.text() };
  } catch {
    const message = `AWS does not answer at ${url.origin}. Is the Region right?`;
    throw new Failure(exitCodes.unavailable, 'no_answer', message);
  }
}

async function regionOf(ses: SESv2Client): Promise<string> {
  try {
    return await ses.config.region();
  } catch {
    throw new Failure(
      exitCodes.usage,
      'no_region',
      'Say in which Region: --region, or AWS_REGION.',
    );
  }
}

async function credentialsOf(ses: SESv2Client) {
  try {
    return await ses.config.credentials();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `AWS credentials cannot be had: ${reason}`;
    throw new Failure(exitCodes.denied, 'no_credentials', message);
  }
}
