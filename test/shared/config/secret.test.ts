import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { secretReader } from '#shared/config/secret';

const addressSchema = z.object({ port: z.int() });

/** The secrets extension until the test ends. */
async function startExtension(answer: (response: ServerResponse, call: number) => void) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = addressSchema.parse(server.address());
  vi.stubEnv('PARAMETERS_SECRETS_EXTENSION_HTTP_PORT', `${port}`);
  vi.stubEnv('AWS_SESSION_TOKEN', 'session-1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return requests;
}

const answerWith = (secret: string) => (response: ServerResponse) =>
  response.end(JSON.stringify({ Name: 'secret-1', SecretString: secret }));

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

describe('a secret', () => {
  it('is read from the extension, by its id and with the token of the session', async () => {
    const requests = await startExtension(answerWith('hush'));

    expect(await secretReader('path/to secret', z.string())()).toBe('hush');
    expect(requests[0]?.url).toBe('/secretsmanager/get?secretId=path%2Fto%20secret');
    expect(requests[0]?.headers['x-aws-parameters-secrets-token']).toBe('session-1');
  });

  it('is kept for five minutes and then read again', async () => {
    const requests = await startExtension((response, call) => answerWith(`hush-${call}`)(response));
    vi.useFakeTimers({ toFake: ['Date'] });
    const read = secretReader('secret-1', z.string());

    const secrets = [await read(), await read()];
    vi.advanceTimersByTime(299_999);
    secrets.push(await read());
    vi.advanceTimersByTime(1);
    secrets.push(await read());

    expect(secrets).toEqual(['hush-1', 'hush-1', 'hush-1', 'hush-2']);
    expect(requests).toHaveLength(2);
  });

  it('is read once for requests at the same time', async () => {
    const requests = await startExtension(answerWith('hush'));
    const read = secretReader('secret-1', z.string());

    expect(await Promise.all([read(), read(), read()])).toEqual(['hush', 'hush', 'hush']);
    expect(requests).toHaveLength(1);
  });

  it('that could not be read is asked for again the next time', async () => {
    await startExtension((response, call) => {
      if (call === 1) response.writeHead(500).end();
      else answerWith('hush')(response);
    });
    const read = secretReader('secret-1', z.string());

    await expect(read()).rejects.toThrow('500');
    expect(await read()).toBe('hush');
  });

  it('of another form than wanted is refused, and not quoted', async () => {
    await startExtension(answerWith('hush'));

    const error: unknown = await secretReader('secret-1', z.url())().catch((thrown) => thrown);

    expect(error).toBeInstanceOf(z.core.$ZodError);
    expect(String(error)).not.toContain('hush');
  });
});
