import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request as openRequest } from 'node:http';
import * as z from 'zod';
import { serveParent } from './child-service.ts';
import { sampleEmail } from './sample-email.ts';
import { drive, drivingSchema } from './throughput.ts';

const settingsSchema = z.object({
  baseUrl: z.string(),
  apiKey: z.string(),
  /** Whose timelines are read. */
  sendIds: z.array(z.string()).default([]),
});

const jobSchema = drivingSchema.extend({ endpoint: z.enum(['send', 'timeline']) });

const agent = new Agent({ keepAlive: true });
const body = JSON.stringify(sampleEmail);

serveParent(async (message) => {
  const { baseUrl, apiKey, sendIds } = settingsSchema.parse(message);
  const credential = { authorization: `Bearer ${apiKey}` };
  let reads = 0;
  const calls = {
    send: () => postSend(`${baseUrl}/api/v1/emails/send`, credential),
    timeline: () => {
      const sendId = sendIds[reads % sendIds.length];
      reads += 1;
      return call(`${baseUrl}/api/v1/sends/${sendId}`, 'GET', {});
    },
  };
  const run = (job: unknown) => {
    const { endpoint, ...driving } = jobSchema.parse(job);
    return drive(driving, calls[endpoint]);
  };
  return { ready: {}, run };
});

/** One send with a fresh idempotency key. */
const postSend = (url: string, credential: Record<string, string>): Promise<void> =>
  call(
    url,
    'POST',
    {
      ...credential,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'idempotency-key': randomUUID(),
    },
    body,
  );

/** Node's own client: the lightest there is, so that most of the machine is left to the service. */
async function call(
  url: string,
  method: string,
  headers: Record<string, string>,
  content?: string,
): Promise<void> {
  const { promise: answered, resolve, reject } = Promise.withResolvers<number | undefined>();
  const finish = (response: IncomingMessage) => {
    response.resume().once('end', () => resolve(response.statusCode));
  };
  openRequest(url, { method, agent, headers }, finish).on('error', reject).end(content);
  const status = await answered;
  if (status !== 200) throw new Error(`${method} ${url} answered ${status}`);
}
