import { createServer } from 'node:http';
import { listen } from '../../infra/local/server.ts';
import { serveParent } from './child.ts';

/** A receiver that takes every message at once. */
serveParent(async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  server.keepAliveTimeout = 75_000;
  const { url } = await listen(server, 0);
  return { ready: { url } };
});
