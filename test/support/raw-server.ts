import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The receiver takes the connection over, so Node has no further answer. */
export const switchingProtocols =
  'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';

/** A server that answers any request with these bytes, and keeps the connection unless told to end it. */
export async function startRawServer(
  words: string,
  after: (socket: Socket) => void = () => {},
): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(words, () => after(socket)));
    onTestFinished(() => {
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}/`;
}
