import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { onTestFinished, vi } from 'vitest';
import { serveUntilEnd } from './server-until-end.ts';

type Answer = (response: ServerResponse, attempt: number) => void;

export type SesServer = {
  /** The JSON bodies of all calls so far. */
  readonly calls: readonly unknown[];
  /** Connections opened, and closed, so far. */
  readonly connections: { opened: number; closed: number };
  readonly port: number;
};

/**
 * An HTTP server in the place of SES until the test ends: SES clients opened from now on call it.
 * `attempt` counts from 1.
 */
export async function startSesServer(answer: Answer): Promise<SesServer> {
  const calls: unknown[] = [];
  const connections = { opened: 0, closed: 0 };
  const server = createServer(async (request, response) => {
    calls.push(await json(request));
    answer(response, calls.length);
  });
  server.on('connection', (socket) => {
    connections.opened += 1;
    socket.once('close', () => {
      connections.closed += 1;
    });
  });
  const { url, port } = await serveUntilEnd(server);
  stubSesEndpoint(url);
  return { calls, connections, port };
}

/** SES clients opened from now on call this address, until the test ends. */
export function stubSesEndpoint(url: string): void {
  vi.stubEnv('AWS_ENDPOINT_URL_SESV2', url);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

export const acceptWith = (messageId: string) => (response: ServerResponse) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ MessageId: messageId }));

/** SES answers with an error, the way its REST JSON protocol does. */
export const refuseWith = (status: number, errorType: string) => (response: ServerResponse) =>
  response
    .writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': errorType })
    .end(JSON.stringify({ message: 'Email address is not verified: ann@example.com' }));
