import { createApiKey } from '#shared/access/api-key';
import { putNewApiKey } from '#shared/access/api-key-store';
import { putNewOrganization } from '#shared/organizations/organization-store';
import type { Table } from '#shared/table/table-client';
import { newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import type { Webhook } from '#shared/webhooks/webhook';
import { buildOrganization } from '../support/organization-builder.ts';
import { sampleEmail } from './sample-email.ts';

/** An email of the usual size: a subject of 60 characters, addresses of 30. */
export const typicalEmail = {
  ...sampleEmail,
  to: 'anna.lovelace@mail.example.com',
  subject: 'Your receipt for order 10492, and when its parcel will come.',
} as const;

export const typicalSender = 'orders@notify.shop-example.com';

type Settings = {
  readonly perMinuteCap?: number;
  readonly dailyCap?: number;
  /** What an endpoint wants to hear of; without, there is no endpoint. */
  readonly eventTypes?: Webhook['eventTypes'];
};

type TypicalOrganization = {
  /** Without scopes: it sends. */
  readonly sendKey: string;
  readonly readKey: string;
};

/** Stores an organization that sends from a typical address. */
export async function putTypicalOrganization(
  table: Table,
  { perMinuteCap, dailyCap, eventTypes }: Settings = {},
): Promise<TypicalOrganization> {
  const id = newOrganizationId();
  const organization = buildOrganization({
    id,
    identity: { domain: 'notify.shop-example.com', fromEmail: typicalSender, status: 'active' },
    webhooks: eventTypes === undefined ? {} : { [newWebhookId(id)]: { eventTypes } },
  });
  const createdAt = Date.now();
  const cap = {
    ...(perMinuteCap !== undefined && { perMinuteCap }),
    ...(dailyCap !== undefined && { dailyCap }),
  };
  const send = createApiKey(id, { name: 'send', scopes: [], ...cap, createdAt });
  const read = createApiKey(id, { name: 'read', scopes: ['read_sends'], createdAt });
  await putNewOrganization(table, organization);
  // In daily use: their last use was noted within the hour.
  for (const { apiKey } of [send, read]) {
    await putNewApiKey(table, { ...apiKey, lastUsedAt: createdAt });
  }
  return { sendKey: send.text, readKey: read.text };
}
