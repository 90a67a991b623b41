import { createRequire } from 'node:module';
import type MailboxModule from 'aws-ses-v2-local';
import { portOf } from '../../infra/local/server.ts';
import { serveParent } from './child.ts';

const { default: startServer }: typeof MailboxModule = createRequire(import.meta.url)(
  'aws-ses-v2-local',
);

serveParent(async () => {
  const host = '127.0.0.1';
  const server = await startServer({ host, port: 0 });
  // While one contestant runs, the other's connections are idle for longer than Node's 5 s.
  server.keepAliveTimeout = 75_000;
  return { ready: { url: `http://${host}:${portOf(server)}` } };
});
