import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request as openRequest } from 'node:http';
import { sampleEmail } from './sample-email.ts';

const agent = new Agent({ keepAlive: true });
const email = JSON.stringify(sampleEmail);

/** Makes one send, with a fresh idempotency key. */
export const callSend = (baseUrl: string, apiKey: string): Promise<void> =>
  call(
    `${baseUrl}/api/v1/emails/send`,
    'POST',
    {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(email)),
      'idempotency-key': randomUUID(),
    },
    email,
  );

/** Reads the timeline of a send that its id alone may read. */
export const callTimeline = (baseUrl: string, sendId: string): Promise<void> =>
  call(`${baseUrl}/api/v1/sends/${sendId}`, 'GET', {});

/** Node's own client: the lightest there is, so that most of the machine is left to the service. */
async function call(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: string,
): Promise<void> {
  const { promise: answered, resolve, reject } = Promise.withResolvers<number | undefined>();
  const finish = (response: IncomingMessage) => {
    response.resume().once('end', () => resolve(response.statusCode));
  };
  openRequest(url, { method, agent, headers }, finish).on('error', reject).end(body);
  const status = await answered;
  if (status !== 200) throw new Error(`${method} ${url} answered ${status}`);
}
