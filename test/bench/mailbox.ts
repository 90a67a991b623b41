import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type MailboxModule from 'aws-ses-v2-local';
import * as z from 'zod';
import { portOf } from '../../infra/local/server.ts';
import { serveParent } from './child.ts';

const { default: startServer }: typeof MailboxModule = createRequire(import.meta.url)(
  'aws-ses-v2-local',
);

const settingsSchema = z.object({ tookMs: z.optional(z.number()) });

serveParent(async (settings) => {
  const { tookMs } = settingsSchema.parse(settings);
  const host = '127.0.0.1';
  const server = await startServer({ host, port: 0 });
  // While one contestant runs, the other's connections are idle for longer than Node's 5 s.
  server.keepAliveTimeout = 75_000;
  if (tookMs !== undefined) answerAfter(server, tookMs);
  return { ready: { url: `http://${host}:${portOf(server)}` } };
});

/** Lets each call take some time, as SES does. */
function answerAfter(server: Server, tookMs: number): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (...args) => {
    setTimeout(() => {
      for (const listener of listeners) listener.apply(server, args);
    }, tookMs);
  });
}
