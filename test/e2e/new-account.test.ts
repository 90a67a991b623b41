import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { newAccount } from '../../infra/local/account.ts';
import type { StackDescription } from '../../infra/local/stack.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { runBefore } from '../support/faults.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';
import { readInbox } from '../support/mailbox-inbox.ts';
import { patience } from '../support/patience.ts';
import { useTwin } from '../support/twin.ts';

const sentSchema = z.looseObject({ sendId: z.string(), status: z.string() });
const storySchema = z.looseObject({ events: z.array(z.looseObject({ type: z.string() })) });

/** More than a new account's functions and a route's burst. */
const people = Array.from({ length: 60 }, (_, index) => `person${index}@example.com`);

const dynamodb = await startFaultProxy({ target: inject('dynamodbEndpoint') });
let twin: StackDescription;

beforeAll(async () => {
  twin = await useTwin({
    account: newAccount,
    environment: { AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url },
  });
});
afterAll(dynamodb.stop);

const send = (to: string, ask: typeof fetchPatiently) =>
  ask(`${twin.baseUrl}/api/v1/emails/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${twin.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': to,
    },
    body: JSON.stringify({ to, subject: 'Your receipt', content: 'Thank you.' }),
  });

async function eventsOf(sendId: string): Promise<readonly string[]> {
  const response = await fetchPatiently(`${twin.baseUrl}/api/v1/sends/${sendId}`, {
    headers: { authorization: `Bearer ${twin.apiKey}` },
  });
  return storySchema.parse(await response.json()).events.map(({ type }) => type);
}

const received = async (): Promise<readonly string[]> =>
  (await readInbox(twin.inboxUrl)).flatMap(({ destination }) => destination.to);

describe('a send in a new account', () => {
  it("is sent, and its timeline shows SES's answer", async () => {
    const response = await send('ann@example.com', fetchPatiently);

    const { sendId, status } = sentSchema.parse(await response.json());
    expect(status).toBe('sent');
    await expect.poll(() => eventsOf(sendId), patience).toEqual(['sent', 'delivered']);
  });

  it('that exceeds a limit is refused in API Gateway’s words, and nothing is sent', async () => {
    // Until one is refused, each send that's let in stays at its first read. A busy machine might else work them off as
    // they come.
    const oneIsRefused = Promise.withResolvers<void>();
    const waitAtFirstRead = runBefore(() => oneIsRefused.promise);
    dynamodb.inject({ operation: 'BatchGetItem', times: people.length, action: waitAtFirstRead });
    const outcomes = await Promise.all(
      people.map(async (to) => {
        const response = await send(to, fetch);
        if (response.status !== 200) oneIsRefused.resolve();
        return { to, status: response.status, answer: await response.text() };
      }),
    );
    dynamodb.clear();

    const refused = outcomes.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    const answers = {
      429: '{"message":"Too Many Requests"}',
      503: '{"message":"Service Unavailable"}',
    };
    const words = new Set(Object.entries(answers).map(([status, answer]) => `${status} ${answer}`));
    expect(refused.filter(({ status, answer }) => !words.has(`${status} ${answer}`))).toEqual([]);
    const inbox = await received();
    expect(refused.filter(({ to }) => inbox.includes(to))).toEqual([]);
  });

  it('is sent once for each of sixty concurrent callers that retry with their keys', async () => {
    const responses = await Promise.all(people.map((to) => send(to, fetchPatiently)));

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const inbox = await received();
    expect(people.map((to) => inbox.filter((one) => one === to).length)).toEqual(
      people.map(() => 1),
    );
  });
});
