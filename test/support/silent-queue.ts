import { createServer } from 'node:http';
import { type LocalServer, listen } from '../../infra/local/server.ts';

const attributes = {
  ApproximateNumberOfMessages: '0',
  ApproximateNumberOfMessagesNotVisible: '0',
  ApproximateNumberOfMessagesDelayed: '0',
};

/** An SQS that takes every batch, holds nothing and delivers nothing. */
export async function startSilentQueue(): Promise<LocalServer> {
  const server = createServer((request, response) => {
    request.resume();
    response
      .writeHead(200, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ Successful: [], Failed: [], Attributes: attributes }));
  });
  server.keepAliveTimeout = 75_000;
  return listen(server, 0);
}
