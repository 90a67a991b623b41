import { type IncomingMessage, request as openHttp } from 'node:http';
import { request as openHttps } from 'node:https';
import { fromEnv } from '@aws-sdk/credential-provider-env';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod/mini';
import { refusedBy } from '#shared/errors/refused-by';
import { parseEnvironment } from './environment.ts';

const environmentSchema = z.object({
  AWS_REGION: z.string().check(z.minLength(1)),
  /** The Region's endpoint, or a local substitute. */
  AWS_ENDPOINT_URL_SECRETS_MANAGER: z.url(),
});
const answerSchema = z.object({
  SecretString: z.string(),
  /** Seconds since 1970. */
  CreatedDate: z.optional(z.number()),
});

/** Without a stage, the current version. `AWSPREVIOUS` is Secrets Manager's label for the previous one. */
type SecretVersion = { readonly SecretId: string; readonly VersionStage?: 'AWSPREVIOUS' };

/** For both attempts together, well below an HTTP function's 29 s. */
const attemptTimeoutMs = 3_000;

/**
 * One signed request. The signing code is in every bundle already, for DynamoDB, and AWS's Lambda extension isn't
 * available in every Region.
 *
 * Source: Secrets Manager API reference, "GetSecretValue"; IAM guide, "Create a signed AWS API request".
 *
 * @throws Error after two failed attempts. The message never contains the secret.
 */
export async function fetchSecretVersion(version: SecretVersion) {
  try {
    return await attemptFetch(version);
  } catch {
    return attemptFetch(version);
  }
}

export const fetchSecret = async (SecretId: string): Promise<string> =>
  (await fetchSecretVersion({ SecretId })).SecretString;

async function attemptFetch(version: SecretVersion): Promise<z.output<typeof answerSchema>> {
  const { AWS_REGION: region, AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint } =
    parseEnvironment(environmentSchema);
  const { protocol, host, hostname, port } = new URL(endpoint);
  const signer = new SignatureV4({
    service: 'secretsmanager',
    region,
    credentials: fromEnv(),
    sha256: Sha256,
  });
  const signed = await signer.sign({
    method: 'POST',
    protocol,
    hostname,
    ...(port !== '' && { port: Number(port) }),
    path: '/',
    query: {},
    headers: {
      host,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'secretsmanager.GetSecretValue',
    },
    body: JSON.stringify(version),
  });
  const { statusCode, text } = await post(endpoint, signed.headers, signed.body);
  if (statusCode !== 200) throw refusedBy('Secrets Manager', statusCode);
  return answerSchema.parse(JSON.parse(text));
}

/** Not `fetch`, which would load its own HTTP client (undici) and add 15 ms to the first request. */
async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ readonly statusCode: number | undefined; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const open = url.startsWith('https:') ? openHttps : openHttp;
  const options = {
    method: 'POST',
    headers,
    signal: AbortSignal.timeout(attemptTimeoutMs),
    // A kept connection would close long before the next request.
    agent: false,
  } as const;
  open(url, options, resolve)
    .on('error', reject)
    .on('close', () => reject(new Error('closed without an answer')))
    .end(body);
  const response = await promise;
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { statusCode: response.statusCode, text };
}
