import type { IncomingMessage, Server } from 'node:http';

export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

export type LocalServer = { readonly url: string; stop(): Promise<void> };

/** Loopback only, as `/_local` has no authentication. */
export const loopback = '127.0.0.1';

/** Port 0 means a free one. @throws StartFailure if the port is taken. */
export async function listen(server: Server, port: number): Promise<LocalServer> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(describeListenError(error, port)));
    server.listen(port, loopback, resolve);
  });
  return { url: `http://${loopback}:${portOf(server)}`, stop: () => close(server) };
}

/** `undefined` if the body is too long. It's read to its end either way. */
export async function readBody(
  request: IncomingMessage,
  maximumBytes = Number.POSITIVE_INFINITY,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    // A client that's still sending would see a reset connection instead of the answer.
    if (length <= maximumBytes) chunks.push(chunk);
  }
  return length <= maximumBytes ? Buffer.concat(chunks) : undefined;
}

export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port');
  return address.port;
}

/** With every connection, since clients keep idle ones open. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

function describeListenError(error: Error, port: number): Error {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new StartFailure(
      `Port ${port} is in use: stop whatever is listening there, or choose another (PORT=${port + 1} npm start).`,
    );
  }
  if (code === 'EACCES')
    return new StartFailure(`No permission to listen on port ${port}: choose another.`);
  return error;
}
