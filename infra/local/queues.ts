import type { LocalServer } from './local-server.ts';

/** Starts fauxqs: SQS and S3, in memory. S3 needs path-style addresses. */
export async function startQueues(): Promise<LocalServer> {
  const { startFauxqs } = await import('fauxqs');
  const fauxqs = await startFauxqs({ port: 0, logger: false });
  return { url: fauxqs.address, stop: () => fauxqs.stop() };
}
