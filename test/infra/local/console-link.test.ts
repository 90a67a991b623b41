import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeConsoleLink } from '../../../infra/local/console-link.ts';
import { listen } from '../../../infra/local/server.ts';

/** A service that answers every request so. */
async function serve(status: number, body: object): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status).end(JSON.stringify(body));
  });
  const { url, stop } = await listen(server, 0);
  onTestFinished(stop);
  return url;
}

describe('the link that npm start prints', () => {
  it('signs in without any input', async () => {
    const url = await serve(201, { path: '/console/sign-in#esl_x', expiresAt: 1 });

    expect(await makeConsoleLink(url, 'esk_x')).toBe(`${url}/console/sign-in#esl_x`);
  });

  it('leads to the console when the stored key may no longer sign in', async () => {
    const url = await serve(401, { code: 'invalid_api_key' });

    expect(await makeConsoleLink(url, 'esk_x')).toBe(`${url}/console`);
  });
});
