import type { Server } from 'node:http';
import { type LocalServer, listen } from '../../infra/local/server.ts';

/**
 * Listens on this port or, as long as they are taken, on the next. A port that the system gives to whoever asks for
 * any may be another's by the time it is used; these it gives to nobody, if they are below 32768.
 */
export const listenFrom = (server: Server, port: number): Promise<LocalServer> =>
  listen(server, port).catch(() => listenFrom(server, port + 1));
