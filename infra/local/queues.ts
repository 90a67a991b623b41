import { type LocalServer, loopback } from './local-server.ts';

/**
 * Starts fauxqs: SQS and S3, in memory. S3 needs path-style addresses. Its own `startFauxqs` listens on
 * every interface.
 */
export async function startQueues(): Promise<LocalServer> {
  const { buildApp } = await import('fauxqs');
  const fauxqs = buildApp({ logger: false });
  const url = await fauxqs.listen({ port: 0, host: loopback });
  return { url, stop: () => fauxqs.close() };
}
