import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { portOf } from '../../infra/local/server.ts';

/** Makes the server listen on a free port of this machine until the test ends, or until it's stopped. */
export async function serveUntilEnd(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server.close(), 'close');
  };
  onTestFinished(stop);
  return { url: `http://127.0.0.1:${port}`, port, stop };
}
