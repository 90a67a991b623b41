import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import * as z from 'zod';
import { secretIds } from './local-environment.ts';
import { type LocalServer, listen } from './local-server.ts';

/**
 * Stands in for the AWS Parameters and Secrets Lambda Extension, from which functions read their
 * secrets over HTTP (Secrets Manager guide, "Use AWS Secrets Manager secrets in AWS Lambda functions").
 */
export async function startSecrets(
  secretsById: Readonly<Record<string, string>>,
): Promise<LocalServer> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const secretId = searchParams.get('secretId') ?? '';
    const secret = pathname === '/secretsmanager/get' ? secretsById[secretId] : undefined;
    const isAuthorized = request.headers['x-aws-parameters-secrets-token'] !== undefined;
    response.setHeader('content-type', 'application/json');
    if (!isAuthorized) response.writeHead(401).end('{}');
    else if (secret === undefined) response.writeHead(400).end('{}');
    else response.end(JSON.stringify({ Name: secretId, SecretString: secret }));
  });
  return listen(server, 0);
}

/** The secrets that somebody outside the service shows it. */
export type SharedSecrets = { readonly operatorSecret: string; readonly cronSecret: string };

export const secretsSchema = z.object({
  tokenSigningKey: z.string(),
  operatorSecret: z.string(),
  cronSecret: z.string(),
  entitlementsSecret: z.string(),
});
export type Secrets = z.output<typeof secretsSchema>;

/** New secrets for everything that needs one, as a deployment generates them. */
export const newSecrets = (): Secrets => ({
  tokenSigningKey: JSON.stringify({ current: 'k1', k1: newSecret() }),
  operatorSecret: newSecret(),
  cronSecret: newSecret(),
  entitlementsSecret: newSecret(),
});

/** Serves the twin's secrets to its functions. */
export async function serveSecrets(secrets: Secrets): Promise<LocalServer & SharedSecrets> {
  const server = await startSecrets({
    [secretIds.tokenSigningKey]: secrets.tokenSigningKey,
    [secretIds.operatorSecret]: secrets.operatorSecret,
    [secretIds.cronSecret]: secrets.cronSecret,
    [secretIds.entitlementsSecret]: secrets.entitlementsSecret,
  });
  const { operatorSecret, cronSecret } = secrets;
  return { ...server, operatorSecret, cronSecret };
}

const newSecret = (): string => randomBytes(32).toString('base64url');
