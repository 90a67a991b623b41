import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import { secretIds } from './environment.ts';
import { type LocalServer, listen } from './server.ts';
import type { KeptData } from './twin-files.ts';

const bodySchema = z.object({
  SecretId: z.string(),
  SecretString: z.string().optional(),
  VersionStage: z.enum(['AWSCURRENT', 'AWSPREVIOUS']).default('AWSCURRENT'),
  ClientRequestToken: z.string().optional(),
});

type Version = {
  readonly VersionId: string;
  readonly SecretString: string;
  readonly CreatedDate: number;
};

type SecretsOptions = {
  readonly keep?: (secretId: string, text: string) => void;
};

/**
 * Replaces Secrets Manager: functions read secrets ("GetSecretValue"), and the operator rotates one ("PutSecretValue").
 */
export async function startSecrets(
  secretsById: Readonly<Record<string, string>>,
  { keep }: SecretsOptions = {},
): Promise<LocalServer> {
  const versionsById = new Map(
    Object.entries(secretsById).map(([id, text]) => [id, [newVersion(text)]]),
  );
  const server = createServer(async (request, response) => {
    const call = await readCall(request);
    const answer = call === undefined ? refusal('InvalidRequestException') : answerTo(call);
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.writeHead('__type' in answer ? 400 : 200).end(JSON.stringify(answer));
  });
  return listen(server, 0);

  function answerTo({ action, SecretId, VersionStage, ...call }: SecretCall) {
    const { SecretString, ClientRequestToken } = call;
    const versions = versionsById.get(SecretId);
    const asked = versions?.[VersionStage === 'AWSCURRENT' ? 0 : 1];
    if (versions === undefined || asked === undefined) {
      return refusal('ResourceNotFoundException');
    }
    if (action === 'GetSecretValue') return { Name: SecretId, ...asked };
    if (SecretString === undefined) return refusal('InvalidRequestException');
    const known = versions.find(({ VersionId }) => VersionId === ClientRequestToken);
    if (known !== undefined && known.SecretString !== SecretString) {
      return refusal('ResourceExistsException');
    }
    if (known === undefined) {
      versions.unshift(newVersion(SecretString, ClientRequestToken));
      keep?.(SecretId, SecretString);
    }
    return { Name: SecretId, VersionId: ClientRequestToken ?? versions[0]?.VersionId };
  }
}

const newVersion = (text: string, id: string = randomUUID()): Version => ({
  VersionId: id,
  SecretString: text,
  CreatedDate: Date.now() / 1_000,
});

const refusal = (type: string) => ({ __type: type });

type SecretCall = z.output<typeof bodySchema> & { readonly action: string };

/** `undefined` unless the call is signed and well-formed. */
async function readCall(request: IncomingMessage): Promise<SecretCall | undefined> {
  const isSigned = request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ') === true;
  const [, action] = String(request.headers['x-amz-target']).split('secretsmanager.');
  const body = bodySchema.safeParse(await json(request).catch(() => undefined));
  const isKnown = action === 'GetSecretValue' || action === 'PutSecretValue';
  return isSigned && isKnown && body.success ? { action, ...body.data } : undefined;
}

export type SharedSecrets = {
  readonly operatorSecret: string;
  readonly cronSecret: string;
  /** For the key that signs links. */
  readonly signingKey: { readonly secretsManagerUrl: string; readonly secretId: string };
};

const newSecret = (): string => randomBytes(32).toString('base64url');

export const secretsSchema = z.object({
  tokenSigningKey: z.string(),
  operatorSecret: z.string(),
  cronSecret: z.string(),
  entitlementsSecret: z.string(),
  /** Absent in data from before there were issuers. */
  oidcSecret: z.string().default(newSecret),
});
export type Secrets = z.output<typeof secretsSchema>;

export const newSecrets = (): Secrets => ({
  tokenSigningKey: JSON.stringify({ current: 'k1', k1: newSecret() }),
  operatorSecret: newSecret(),
  cronSecret: newSecret(),
  entitlementsSecret: newSecret(),
  oidcSecret: newSecret(),
});

/** Kept separately: older data has served secrets without one, and its organization should continue to work. */
export const keepContactDigestKey = (data: KeptData): string =>
  data.keep('contact-digest-key', z.string().min(32), newSecret);

/** @param keep gets all secrets when one changes. */
export async function serveSecrets(
  secrets: Secrets,
  keep: (secrets: Secrets) => void = () => {},
): Promise<LocalServer & SharedSecrets> {
  let current = secrets;
  const names = secretsSchema.keyof().options;
  const byId = Object.fromEntries(names.map((name) => [secretIds[name], secrets[name]]));
  const server = await startSecrets(byId, {
    keep: (secretId, text) => {
      const name = names.find((one) => secretIds[one] === secretId);
      if (name === undefined) return;
      current = { ...current, [name]: text };
      keep(current);
    },
  });
  const { operatorSecret, cronSecret } = secrets;
  const signingKey = { secretsManagerUrl: server.url, secretId: secretIds.tokenSigningKey };
  return { ...server, operatorSecret, cronSecret, signingKey };
}
