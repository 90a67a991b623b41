import { createServer } from 'node:http';
import { type LocalServer, listen } from '../../infra/local/local-server.ts';

/** An SQS that takes every batch and delivers nothing: the service only wakes others with it. */
export async function startSilentQueue(): Promise<LocalServer> {
  const server = createServer((request, response) => {
    request.resume();
    response
      .writeHead(200, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ Successful: [], Failed: [] }));
  });
  server.keepAliveTimeout = 75_000;
  return listen(server, 0);
}
