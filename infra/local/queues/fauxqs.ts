import { uploadByteLength, uploadIdSchema } from '#shared/tokens/resource-id';
import { type LocalServer, loopback } from '../server.ts';

/**
 * Starts fauxqs: SQS and S3, in memory. S3 needs path-style addresses. Its own `startFauxqs` listens on
 * every interface.
 */
export async function startQueues(): Promise<LocalServer> {
  const { buildApp } = await import('fauxqs');
  const fauxqs = buildApp({ logger: false });
  // It checks no signatures. That of a ticket holds the length, which the name of the upload ends with.
  fauxqs.addHook('onRequest', async ({ method, url, headers }, reply) => {
    const id = uploadIdSchema.safeParse(url.replace(/\?.*$/, '').split('/').at(-1)).data;
    if (method !== 'PUT' || id === undefined) return;
    if (Number(headers['content-length']) === uploadByteLength(id)) return;
    return reply.code(403).type('application/xml').send(signatureDoesNotMatch);
  });
  const url = await fauxqs.listen({ port: 0, host: loopback });
  return { url, stop: () => fauxqs.close() };
}

const signatureDoesNotMatch =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>SignatureDoesNotMatch</Code><Message>The request signature we calculated does not match the signature you provided. Check your key and signing method.</Message></Error>';
