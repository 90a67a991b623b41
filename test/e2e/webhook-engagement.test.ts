import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { listen, readBody } from '../../infra/local/server.ts';
import { readInbox } from '../support/mailbox-inbox.ts';
import { patience } from '../support/patience.ts';
import { useTwin } from '../support/twin.ts';

const { baseUrl, apiKey, manageKey, inboxUrl } = await useTwin();

const messageShape = z.object({ type: z.string(), data: z.looseObject({}) });
type Message = z.output<typeof messageShape>;

async function startReceiver() {
  const messages: Message[] = [];
  const server = createServer(async (request, response) => {
    messages.push(messageShape.parse(JSON.parse(String(await readBody(request)))));
    response.writeHead(204).end();
  });
  const { url, stop } = await listen(server, 0);
  onTestFinished(() => {
    server.closeAllConnections();
    return stop();
  });
  return { url: `${url}/hooks`, messages };
}

async function post(path: string, key: string, body: object): Promise<unknown> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return response.json();
}

/** Creates an endpoint; `log` reads the types of all its past and pending messages. */
async function createEndpoint(url: string, eventTypes: readonly string[]) {
  const { id } = z
    .object({ id: z.string() })
    .parse(await post('/api/v1/webhooks', manageKey, { url, eventTypes }));
  const log = async () => {
    const response = await fetch(`${baseUrl}/api/v1/webhooks/${id}/deliveries?limit=100`, {
      headers: { authorization: `Bearer ${manageKey}` },
    });
    const { data } = z
      .object({ data: z.array(z.object({ type: z.string() })) })
      .parse(await response.json());
    return data.map(({ type }) => type).toSorted();
  };
  return { log };
}

const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Firefox/130.0' };
const machine = { ...person, 'sec-purpose': 'prefetch' };

/** Sends an email with a link, and finds what its reader's mail client would fetch. */
async function sendEmail(subject: string) {
  const { sendId } = z.object({ sendId: z.string() }).parse(
    await post('/api/v1/emails/send', apiKey, {
      to: 'ann@example.com',
      subject,
      content: 'Your order',
      htmlContent: '<a href="https://shop.example.com/order?token=secret">Your order</a>',
    }),
  );
  const inbox = await readInbox(inboxUrl);
  const html = inbox.find((email) => email.subject === subject)?.body.html ?? '';
  const visit = async (path: '/t/o/' | '/t/c/', headers: Record<string, string>) => {
    const url = html.split('"').find((part) => part.includes(path)) ?? '';
    const { status } = await fetch(url, { headers, redirect: 'manual' });
    expect(status).toBeLessThan(400);
  };
  return { sendId, open: visit.bind(undefined, '/t/o/'), click: visit.bind(undefined, '/t/c/') };
}

const types = ['email.opened', 'email.clicked'];

describe('an endpoint subscribed to opens and clicks', () => {
  it('gets the first hit by a machine and the first by a person, and no more', async () => {
    const { url, messages } = await startReceiver();
    const { log } = await createEndpoint(url, types);
    const { sendId, open, click } = await sendEmail('First a machine, then a person');

    for (const headers of [machine, machine, person, person, machine]) await open(headers);
    for (const headers of [person, machine, person]) await click(headers);

    expect(await log()).toEqual(['email.clicked', 'email.opened', 'email.opened']);
    await vi.waitFor(() => expect(messages).toHaveLength(3), patience);
    const ofSend = {
      sendId,
      messageId: expect.any(String),
      to: 'ann@example.com',
      subject: 'First a machine, then a person',
      policyKey: 'transactional',
    };
    const eventsOfType = (name: string) =>
      messages
        .filter(({ type }) => type === name)
        .map(({ data }) => data)
        .toSorted((one, other) => Number(other['machine']) - Number(one['machine']));
    expect(eventsOfType('email.opened')).toEqual([
      { ...ofSend, machine: true },
      { ...ofSend, machine: false },
    ]);
    expect(eventsOfType('email.clicked')).toEqual([
      { ...ofSend, machine: false, url: 'https://shop.example.com/order' },
    ]);
  });
});
