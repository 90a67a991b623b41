import { fromEnv } from '@aws-sdk/credential-provider-env';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod';
import './localhost-names.ts';

const environment = z.object({ AWS_REGION: z.string(), EMAIL_SEND_URL: z.url() });

/** A function of somebody's app, which sends with its own role and answers what it got. */
export async function handler({ to }: { readonly to: string }) {
  const { AWS_REGION: region, EMAIL_SEND_URL: url } = environment.parse(process.env);
  const { protocol, host, hostname, pathname: path } = new URL(url);
  const signer = new SignatureV4({
    service: 'execute-api',
    region,
    credentials: fromEnv(),
    sha256: Sha256,
  });
  const { method, headers, body } = await signer.sign({
    method: 'POST',
    protocol,
    hostname,
    path,
    query: {},
    headers: { host, 'content-type': 'application/json', 'idempotency-key': to },
    body: JSON.stringify({ to, subject: 'Hello', content: 'Hello' }),
  });
  const response = await fetch(url, { method, headers, body });
  return { status: response.status, body: await response.text() };
}
