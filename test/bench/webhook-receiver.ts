import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { listen, readBody } from '../../infra/local/server.ts';
import { serveParent } from './child-service.ts';

const messageSchema = z.object({ timestamp: z.iso.datetime() });

/**
 * A receiver that takes every message: at once at `/`, at `/50` after 50 ms. Asked, it says how many
 * milliseconds after their events the messages that it answers at once have come since it was last asked.
 */
serveParent(async () => {
  const latencies: number[] = [];
  const server = createServer(async (request, response) => {
    const arrivedAt = Date.now();
    const body = await readBody(request);
    const milliseconds = Number(request.url?.slice(1));
    if (milliseconds > 0) await sleep(milliseconds);
    else latencies.push(arrivedAt - eventTimeIn(body));
    response.writeHead(204).end();
  });
  server.keepAliveTimeout = 75_000;
  const { url } = await listen(server, 0);
  return { ready: { url }, run: async () => latencies.splice(0) };
});

const eventTimeIn = (body: Buffer | undefined): number =>
  Date.parse(messageSchema.parse(JSON.parse(String(body))).timestamp);
