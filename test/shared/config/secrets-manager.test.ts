import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { fetchSecret } from '#shared/config/secrets-manager';
import { serveUntilEnd } from '../../support/server-until-end.ts';
import { sha256, signatureV4 } from '../../support/signature-v4.ts';

type ReceivedRequest = {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** Secrets Manager until the test ends. */
async function startSecretsManager(answer: (response: ServerResponse, call: number) => void) {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    requests.push({ method, url, headers, body: await text(request) });
    answer(response, requests.length);
  });
  const { url } = await serveUntilEnd(server);
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', url);
  vi.stubEnv('AWS_REGION', 'il-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-access-key');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session-1');
  return requests;
}

const answerWith = (secret: string) => (response: ServerResponse) =>
  response.end(JSON.stringify({ Name: 'secret-1', SecretString: secret }));

const scope = {
  secretKey: 'secret-access-key',
  region: 'il-central-1',
  service: 'secretsmanager',
};
const authorizationText =
  /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/(\d{8})\/il-central-1\/secretsmanager\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w{64})$/;

function expectedSignature({ method, url, headers, body }: ReceivedRequest): string {
  const [, , signedHeaders = ''] = authorizationText.exec(headers.authorization ?? '') ?? [];
  const canonicalHeaders = signedHeaders.split(';').map((name) => `${name}:${headers[name]}\n`);
  return signatureV4({ ...scope, time: `${headers['x-amz-date']}` }, [
    method,
    url,
    '',
    canonicalHeaders.join(''),
    signedHeaders,
    sha256(body),
  ]);
}

describe('a secret of Secrets Manager', () => {
  it('is asked for by its id', async () => {
    const requests = await startSecretsManager(answerWith('hush'));

    expect(await fetchSecret('arn:of "secret"')).toBe('hush');
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': 'secretsmanager.GetSecretValue',
          'x-amz-security-token': 'session-1',
        },
        body: '{"SecretId":"arn:of \\"secret\\""}',
      },
    ]);
  });

  it("is asked for with a signature of the function's own credentials", async () => {
    const requests = await startSecretsManager(answerWith('hush'));

    await fetchSecret('secret-1');

    const [request] = requests;
    if (request === undefined) throw new Error('No request came');
    const [, date, signedHeaders, signature] =
      authorizationText.exec(request.headers.authorization ?? '') ?? [];
    expect(signedHeaders?.split(';')).toEqual(
      expect.arrayContaining(['host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target']),
    );
    expect(date).toBe(`${request.headers['x-amz-date']}`.slice(0, 8));
    expect(signature).toBe(expectedSignature(request));
  });

  it('is asked for once more when Secrets Manager fails', async () => {
    const requests = await startSecretsManager((response, call) => {
      if (call === 1) response.destroy();
      else answerWith('hush')(response);
    });

    expect(await fetchSecret('secret-1')).toBe('hush');
    expect(requests).toHaveLength(2);
  });

  it('is an error when Secrets Manager closes without an answer', async () => {
    const requests = await startSecretsManager((response) =>
      response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).end(),
    );

    await expect(fetchSecret('secret-1')).rejects.toThrow('closed without an answer');
    expect(requests).toHaveLength(2);
  });

  it('that may not be read is an error that tells the status, and is not asked for a third time', async () => {
    const requests = await startSecretsManager((response) =>
      response.writeHead(400).end('{"__type":"AccessDeniedException"}'),
    );

    await expect(fetchSecret('secret-1')).rejects.toThrow('Secrets Manager answered 400');
    expect(requests).toHaveLength(2);
  });

  it('cannot be read without its address, which the error names', async () => {
    await startSecretsManager(answerWith('hush'));
    vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', undefined);

    await expect(fetchSecret('secret-1')).rejects.toThrow('AWS_ENDPOINT_URL_SECRETS_MANAGER');
  });
});
