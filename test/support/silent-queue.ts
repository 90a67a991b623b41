import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import * as z from 'zod';
import { type LocalServer, listen, readBody } from '../../infra/local/server.ts';

const attributes = {
  ApproximateNumberOfMessages: '0',
  ApproximateNumberOfMessagesNotVisible: '0',
  ApproximateNumberOfMessagesDelayed: '0',
};

const messageSchema = z.object({ MessageBody: z.string() });

/** An SQS that takes every message and batch, holds nothing and delivers nothing. */
export async function startSilentQueue(): Promise<LocalServer> {
  const server = createServer(async (request, response) => {
    const body = messageSchema.safeParse(JSON.parse(`${await readBody(request)}` || '{}')).data;
    const MD5OfMessageBody = body && hash('md5', body.MessageBody);
    response
      .writeHead(200, { 'content-type': 'application/x-amz-json-1.0' })
      .end(
        JSON.stringify({ Successful: [], Failed: [], Attributes: attributes, MD5OfMessageBody }),
      );
  });
  server.keepAliveTimeout = 75_000;
  return listen(server, 0);
}
