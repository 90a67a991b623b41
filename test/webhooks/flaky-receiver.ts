import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { close, listen } from '../../infra/local/server.ts';

/** What a receiver does with one message. */
export type Behaviour = (response: ServerResponse, call: number) => void;

export const answer =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end('noted');
  };
export const reset: Behaviour = (response) => response.socket?.resetAndDestroy();
export const hang: Behaviour = () => {};
export const answerSlowly =
  (milliseconds: number): Behaviour =>
  (response) => {
    setTimeout(() => response.writeHead(200).end(), milliseconds);
  };

/** A receiver on this machine that verifies every message with the public Standard Webhooks library. */
export async function startReceiver(secret: string, behave: Behaviour) {
  const accepted: string[] = [];
  const refused: string[] = [];
  const library = new Webhook(secret);
  let calls = 0;

  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const id = String(request.headers['webhook-id']);
    if (!isSignedBy(library, request, Buffer.concat(chunks).toString())) refused.push(id);
    response.on('finish', () => {
      if (response.statusCode >= 200 && response.statusCode < 300) accepted.push(id);
    });
    calls += 1;
    behave(response, calls);
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  const { url } = await listen(server, 0);
  return {
    url: `${url}/hook`,
    /** Ids of the messages answered 2xx, in order. */
    accepted,
    /** Ids of the messages whose signature does not verify. */
    refused,
    calls: () => calls,
    stop: () => close(server),
  };
}

/** Verifies as the library does, except for the age: these tests move their clock by hours. */
function isSignedBy(library: Webhook, { headers }: IncomingMessage, body: string): boolean {
  const signedAt = new Date(Number(headers['webhook-timestamp']) * 1000);
  const expected = library.sign(String(headers['webhook-id']), signedAt, body);
  return String(headers['webhook-signature']).split(' ').includes(expected);
}
