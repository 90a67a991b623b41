import { Agent, type IncomingMessage, request as openRequest } from 'node:http';
import { readBody } from '../server.ts';

export type RelayedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

export type RequestRelay = {
  relay(request: IncomingMessage, body: Buffer): Promise<RelayedAnswer>;
  close(): void;
};

/** Keeps its connections open. */
export function createRequestRelay(target: string): RequestRelay {
  const agent = new Agent({ keepAlive: true });
  return {
    relay: async ({ method, url = '/', headers }, body) => {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const sent = { ...headers, 'content-length': `${body.length}` };
      openRequest(new URL(url, target), { method, headers: sent, agent }, resolve)
        .on('error', reject)
        .end(body);
      const answer = await promise;
      return {
        status: answer.statusCode ?? 502,
        headers: endToEndHeaders(answer),
        body: (await readBody(answer)) ?? Buffer.alloc(0),
      };
    },
    close: () => agent.destroy(),
  };
}

/** Drops headers about the connection, which is a different one here. */
function endToEndHeaders({ headers }: IncomingMessage): Record<string, string> {
  const endToEnd: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!connectionHeaders.has(name)) endToEnd[name] = String(value);
  }
  return endToEnd;
}

const connectionHeaders = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
]);
