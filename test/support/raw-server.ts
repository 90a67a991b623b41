import { createServer, type Socket } from 'node:net';
import { serveUntilEnd } from './server-until-end.ts';

/** The receiver takes the connection over, so Node has no further answer. */
export const switchingProtocols =
  'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';

/** A server that answers any request with these bytes, and keeps the connection unless told to end it. */
export async function startRawServer(
  words: string,
  after: (socket: Socket) => void = () => {},
): Promise<string> {
  const server = createServer((socket) => {
    socket.once('data', () => socket.write(words, () => after(socket)));
  });
  const { url } = await serveUntilEnd(server);
  return `${url}/`;
}
