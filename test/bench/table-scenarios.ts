import { randomUUID } from 'node:crypto';
import { createApiKey } from '#shared/organizations/api-key';
import { putNewApiKey } from '#shared/organizations/api-key-store';
import { openTable } from '#shared/table/table-client';
import { feedbackIdOf, organizationIdSchema } from '#shared/tokens/resource-id';
import type { StackDescription } from '../../infra/local/stack.ts';
import { buildSesEvent, buildSesMail, type SesEventType } from '../support/ses-event-builder.ts';
import { postSend } from './post-send.ts';
import { sampleEmail } from './sample-email.ts';

/** What a caller or SES does that costs calls to the table. */
export type Scenario = {
  readonly what: string;
  readonly mostInARow: number;
  readonly mostWriteUnits?: number;
  readonly mostCalls?: number;
  readonly run: () => Promise<unknown>;
};

/** The scenarios, in the order in which each finds the items that the ones before have written. */
export async function tableScenarios(stack: StackDescription): Promise<Scenario[]> {
  const cappedKey = await createCappedKey(stack);
  const replayed = randomUUID();
  const toStranger = () => ({ ...sampleEmail, to: `${randomUUID()}@example.com` });
  const withKey = () => ({ idempotencyKey: randomUUID() });
  const send = (options: Parameters<typeof postSend>[2], apiKey = stack.apiKey) =>
    postSend(stack.baseUrl, apiKey, options);
  const sent = await send({ idempotencyKey: replayed });
  const receive = (type: SesEventType) => postProviderEvent(stack, type, sent);
  const read = (headers: Record<string, string>) =>
    expectOk(fetch(`${stack.baseUrl}/api/v1/sends/${sent.sendId}`, { headers }));

  return [
    {
      what: 'Send with idempotency key, known contact',
      mostInARow: 3,
      mostWriteUnits: 16,
      run: () => send(withKey()),
    },
    {
      what: 'Send with idempotency key, first contact',
      mostInARow: 3,
      mostWriteUnits: 16,
      run: () => send({ ...withKey(), email: toStranger() }),
    },
    {
      what: 'Send with idempotency key and rate cap, known contact',
      mostInARow: 4,
      mostWriteUnits: 16,
      run: () => send(withKey(), cappedKey),
    },
    { what: 'Send without key, known contact', mostInARow: 3, run: () => send({}) },
    {
      what: 'Send without key, first contact',
      mostInARow: 3,
      run: () => send({ email: toStranger() }),
    },
    { what: 'Replay of a send', mostInARow: 3, run: () => send({ idempotencyKey: replayed }) },
    { what: 'Event Send, for a send that is settled', ...perEvent, run: () => receive('Send') },
    { what: 'Event Delivery', ...perEvent, run: () => receive('Delivery') },
    { what: 'Event Delivery, repeated', ...perEvent, run: () => receive('Delivery') },
    { what: 'Event Bounce, permanent', ...perEvent, run: () => receive('Bounce') },
    { what: 'Timeline read by id', mostInARow: 1, mostCalls: 1, run: () => read({}) },
    {
      what: 'Timeline read with API key',
      mostInARow: 1,
      run: () => read({ authorization: `Bearer ${stack.manageKey}` }),
    },
  ];
}

const perEvent = { mostInARow: 3, mostWriteUnits: 6 } as const;

async function createCappedKey({ organizationId, tableName }: StackDescription): Promise<string> {
  const { text, apiKey } = createApiKey(organizationIdSchema.parse(organizationId), {
    name: 'capped',
    scopes: [],
    perMinuteCap: 1_000,
    createdAt: Date.now(),
  });
  await putNewApiKey(openTable(tableName), apiKey);
  return text;
}

function postProviderEvent(
  { baseUrl }: StackDescription,
  type: SesEventType,
  { sendId, messageId }: Awaited<ReturnType<typeof postSend>>,
): Promise<Response> {
  const mail = buildSesMail({ messageId, tags: { 'feedback-id': [feedbackIdOf(sendId)] } });
  const body = JSON.stringify(buildSesEvent(type, { mail }));
  return expectOk(fetch(`${baseUrl}/_local/provider-events`, { method: 'POST', body }));
}

async function expectOk(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
  return response;
}
