import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import * as z from 'zod';
import { openApiKeyStore } from '#shared/access/api-key-store';
import type { HttpResponse } from '#shared/http/http-response';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import type { Send } from '#shared/sending/send';
import { openSettlementStore } from '#shared/sending/settlement-store';
import { newOrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { claimSend } from '../../support/claim-builder.ts';
import { buildHttpEvent } from '../../support/http-event-builder.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { buildSend, doubtWindowMs, newSendId } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const settlementStore = openSettlementStore(table);

type Handler = (
  event: ReturnType<typeof buildHttpEvent>,
  context: ReturnType<typeof lambdaContext>,
) => Promise<HttpResponse>;
let handler: Handler;

beforeAll(async () => {
  vi.stubEnv('TABLE_NAME', inject('tableName'));
  ({ handler } = await import('../../../functions/get-send/handler.ts'));
});

const shown = z.object({
  send: z.looseObject({ status: z.string() }),
  messages: z.array(z.unknown()),
  events: z.array(z.unknown()),
});

async function read({ id }: Send, authorization = {}) {
  const event = buildHttpEvent({ pathParameters: { id }, headers: authorization });
  const response = await handler(event, lambdaContext());
  return shown.parse(JSON.parse(response.body));
}

async function storeNew(claimedAt: number, settings: Partial<Send> = {}) {
  const send = buildSend({ claimedAt, ...settings });
  await openOrganizationStore(table).put(buildOrganization({ id: organizationIdOf(send.id) }));
  await claimSend(table, send);
  return send;
}

/** So long ago that the window of the send is over. */
const longAgo = () => Date.now() - doubtWindowMs;

describe('the timeline', () => {
  it('shows a send that is under way', async () => {
    const send = await storeNew(Date.now());

    const timeline = await read(send);

    expect(timeline.send).toMatchObject({ _id: send.id, status: 'sending' });
    expect(timeline.send).not.toHaveProperty('failureReason');
    expect(timeline.send).not.toHaveProperty('attempts');
  });

  it('names the key that made the last attempt to keys, and to nobody else', async () => {
    const organizationId = newOrganizationId();
    const { text, apiKey } = buildApiKey({ organizationId });
    await openApiKeyStore(table).put(apiKey);
    const send = await storeNew(Date.now(), { id: newSendId(organizationId), apiKeyId: apiKey.id });

    const withKey = await read(send, { authorization: `Bearer ${text}` });
    const withoutKey = await read(send);

    expect(withKey.send).toMatchObject({ _id: send.id, apiKeyId: apiKey.id });
    expect(withoutKey.send).not.toHaveProperty('apiKeyId');
  });

  it('shows a send in doubt as not accepted once its window is over', async () => {
    const send = await storeNew(longAgo());

    const timeline = await read(send);

    expect(timeline.send).toMatchObject({ status: 'failed', failureReason: 'not_accepted' });
  });

  it('shows a send in doubt as sent when somebody opened its email', async () => {
    const send = await storeNew(longAgo());
    await settlementStore.recordProof(send, send.claimedAt + 1_000);

    const timeline = await read(send);

    expect(timeline.send).toMatchObject({ status: 'sent' });
    expect(timeline.send).not.toHaveProperty('failureReason');
  });

  it('shows a send in doubt as sent when a late event has told of it', async () => {
    const send = await storeNew(longAgo());
    await settlementStore.commitAcceptance(
      send,
      { providerMessageId: 'message-1', at: Date.now() },
      [],
    );

    const timeline = await read(send);

    expect(timeline).toMatchObject({
      send: { status: 'sent' },
      messages: [{ providerMessageId: 'message-1' }],
      events: [{ type: 'sent', providerMessageId: 'message-1' }],
    });
  });

  it('shows why a send failed, and each attempt', async () => {
    const send = await storeNew(Date.now());
    await settlementStore.recordFailure(send, 'MessageRejected', send.claimedAt + 1_000);

    const timeline = await read(send);

    expect(timeline.send).toMatchObject({
      status: 'failed',
      failureReason: 'MessageRejected',
      attempts: [{ attempt: 1, at: send.claimedAt + 1_000, reason: 'MessageRejected' }],
    });
  });
});
