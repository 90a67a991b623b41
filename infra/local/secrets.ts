import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import { secretIds } from './local-environment.ts';
import { type LocalServer, listen } from './local-server.ts';

const bodySchema = z.object({ SecretId: z.string() });

/** Stands in for Secrets Manager, from which functions read their secrets ("GetSecretValue"). */
export async function startSecrets(
  secretsById: Readonly<Record<string, string>>,
): Promise<LocalServer> {
  const server = createServer(async (request, response) => {
    const secretId = await wantedSecret(request);
    const secret = secretId === undefined ? undefined : secretsById[secretId];
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    if (secret === undefined) response.writeHead(400).end('{"__type":"InvalidRequestException"}');
    else response.end(JSON.stringify({ Name: secretId, SecretString: secret }));
  });
  return listen(server, 0);
}

/** The id in a request that is signed and well-formed. */
async function wantedSecret(request: IncomingMessage): Promise<string | undefined> {
  const isSigned = request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ') === true;
  const isRead = request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue';
  const body = bodySchema.safeParse(await json(request).catch(() => undefined));
  return isSigned && isRead ? body.data?.SecretId : undefined;
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
