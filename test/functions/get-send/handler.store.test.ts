import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import * as z from 'zod';
import { putApiKey } from '#shared/access/api-key-store';
import { serveUnadmitted } from '#shared/endpoints/serve';
import type { HttpResponse } from '#shared/http/http-response';
import { putOrganization } from '#shared/organizations/organization-store';
import type { Send } from '#shared/sending/send';
import { recordFailure } from '#shared/sending/send-store';
import { newOrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { endpoint } from '../../../functions/get-send/get-send.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { claimSend } from '../../support/claim-builder.ts';
import { buildHttpEvent } from '../../support/http-event-builder.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { buildSend, newSendId } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

type Handler = (
  event: ReturnType<typeof buildHttpEvent>,
  context: ReturnType<typeof lambdaContext>,
) => Promise<HttpResponse>;
let handler: Handler;

beforeAll(async () => {
  vi.stubEnv('TABLE_NAME', inject('tableName'));
  handler = serveUnadmitted(endpoint);
});

const shown = z.object({ send: z.looseObject({ status: z.string() }) });

async function read({ id }: Send, authorization = {}) {
  const event = buildHttpEvent({ pathParameters: { id }, headers: authorization });
  const response = await handler(event, lambdaContext());
  return shown.parse(JSON.parse(response.body));
}

async function storeNew(settings: Partial<Send> = {}) {
  const send = buildSend({ claimedAt: Date.now(), ...settings });
  await putOrganization(
    table,
    buildOrganization({ id: organizationIdOf(send.id), keylessReading: true }),
  );
  await claimSend(table, send);
  return send;
}

describe('the timeline', () => {
  it('shows the key of the last attempt to keys only', async () => {
    const organizationId = newOrganizationId();
    const { text, apiKey } = buildApiKey({ organizationId });
    await putApiKey(table, apiKey);
    const send = await storeNew({ id: newSendId(organizationId), apiKeyId: apiKey.id });

    const withKey = await read(send, { authorization: `Bearer ${text}` });
    const withoutKey = await read(send);

    expect(withKey.send).toMatchObject({ _id: send.id, apiKeyId: apiKey.id });
    expect(withoutKey.send).not.toHaveProperty('apiKeyId');
  });

  it('shows why a send failed, and each attempt', async () => {
    const send = await storeNew();
    await recordFailure(table, send, 'MessageRejected', send.claimedAt + 1_000);

    const timeline = await read(send);

    expect(timeline.send).toMatchObject({
      status: 'failed',
      failureReason: 'MessageRejected',
      attempts: [{ attempt: 1, at: send.claimedAt + 1_000, reason: 'MessageRejected' }],
    });
  });
});
