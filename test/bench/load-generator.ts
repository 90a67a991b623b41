import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request as openRequest } from 'node:http';
import * as z from 'zod';
import { serveParent } from './child.ts';
import { drive, drivingSchema } from './rounds.ts';
import { sampleEmail } from './sends.ts';

const settingsSchema = z.object({ baseUrl: z.string(), apiKey: z.string() });

const agent = new Agent({ keepAlive: true });
const jobSchema = drivingSchema.extend({
  emails: z.optional(z.int()),
  mode: z.optional(z.literal('queued')),
});

/** Calls the send endpoint over and over, or that of batches of so many emails, which go out at once or are queued. */
serveParent(async (settings) => {
  const { baseUrl, apiKey } = settingsSchema.parse(settings);
  const run = async (job: unknown) => {
    const { emails, mode, ...driving } = jobSchema.parse(job);
    const email = { ...sampleEmail, ...(mode && { mode }) };
    if (emails === undefined) {
      return drive(driving, () =>
        call(`${baseUrl}/api/v1/emails/send`, apiKey, JSON.stringify(email)),
      );
    }
    const url = `${baseUrl}/api/v1/emails/batch`;
    const body = JSON.stringify({ emails: Array.from({ length: emails }, () => email) });
    const { calls, perSecond } = await drive(driving, () => call(url, apiKey, body));
    return { calls: calls * emails, perSecond: perSecond * emails };
  };
  return { ready: {}, run };
});

/** Makes one call with a fresh idempotency key. Node's own client leaves most of the machine to the service. */
async function call(url: string, apiKey: string, body: string): Promise<void> {
  const { promise: answered, resolve, reject } = Promise.withResolvers<number | undefined>();
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'idempotency-key': randomUUID(),
  };
  const finish = (response: IncomingMessage) => {
    response.resume().once('end', () => resolve(response.statusCode));
  };
  const options = { method: 'POST', agent, headers };
  openRequest(url, options, finish).on('error', reject).end(body);
  const status = await answered;
  if (status !== 200 && status !== 202) throw new Error(`A send was answered ${status}`);
}
