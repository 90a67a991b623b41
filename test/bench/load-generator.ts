import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request as openRequest } from 'node:http';
import * as z from 'zod';
import { serveParent } from './child.ts';
import { drive, drivingSchema } from './rounds.ts';
import { sampleEmail } from './sends.ts';

const settingsSchema = z.object({ baseUrl: z.string(), apiKey: z.string() });

const agent = new Agent({ keepAlive: true });
const email = JSON.stringify(sampleEmail);

/** Calls the send endpoint over and over. */
serveParent(async (settings) => {
  const { baseUrl, apiKey } = settingsSchema.parse(settings);
  const run = (job: unknown) => drive(drivingSchema.parse(job), () => callSend(baseUrl, apiKey));
  return { ready: {}, run };
});

/** Makes one send with a fresh idempotency key. Node's own client leaves most of the machine to the service. */
async function callSend(baseUrl: string, apiKey: string): Promise<void> {
  const { promise: answered, resolve, reject } = Promise.withResolvers<number | undefined>();
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(email)),
    'idempotency-key': randomUUID(),
  };
  const finish = (response: IncomingMessage) => {
    response.resume().once('end', () => resolve(response.statusCode));
  };
  const options = { method: 'POST', agent, headers };
  openRequest(`${baseUrl}/api/v1/emails/send`, options, finish).on('error', reject).end(email);
  const status = await answered;
  if (status !== 200) throw new Error(`A send was answered ${status}`);
}
