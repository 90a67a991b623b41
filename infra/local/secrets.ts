import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
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

/** New secrets for everything that needs one, as a deployment generates them. */
export async function startNewSecrets(): Promise<LocalServer & SharedSecrets> {
  const shared = { operatorSecret: newSecret(), cronSecret: newSecret() };
  const server = await startSecrets({
    [secretIds.tokenSigningKey]: JSON.stringify({ current: 'k1', k1: newSecret() }),
    [secretIds.operatorSecret]: shared.operatorSecret,
    [secretIds.cronSecret]: shared.cronSecret,
    [secretIds.entitlementsSecret]: newSecret(),
  });
  return { ...server, ...shared };
}

const newSecret = (): string => randomBytes(32).toString('base64url');
