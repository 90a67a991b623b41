import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { type ClaimOutcome, claimSend as claim } from '#shared/sending/claim';
import type { Send, SendUnderWay } from '#shared/sending/send';
import { toSendItem } from '#shared/sending/send-items';
import type { Table } from '#shared/table/table-client';
import {
  newNonce,
  newOrganizationId,
  type OrganizationId,
  sendIdOf,
  slotIdOf,
} from '#shared/tokens/resource-id';
import { asClaimed, buildSend, type SendGiven } from './send-builder.ts';

export const claimNow = 1_750_000_000_000;

type Overrides = SendGiven & { readonly organizationId?: OrganizationId };

/** A claim under an idempotency key, `key-1` unless told, with a lease of five minutes. */
export function buildClaim(overrides?: Overrides & { readonly status?: 'sending' }): SendUnderWay;
export function buildClaim(overrides: Overrides): Send;
export function buildClaim(overrides: Overrides = {}): Send {
  const { organizationId = newOrganizationId(), ...send } = overrides;
  const { idempotencyKey = 'key-1' } = send;
  return buildSend({
    id: sendIdOf(slotIdOf(organizationId, idempotencyKey), newNonce()),
    idempotencyKey,
    claimedAt: claimNow,
    ...send,
  });
}

/** Claims as a send does, for an organization without webhooks. */
export const claimSend = (table: Table, candidate: Send): Promise<ClaimOutcome> =>
  claim(table, asClaimed(candidate));

/** Claims it, unless it's in a state in which no claim leaves a send. */
export async function storeSend(table: Table, send: Send): Promise<void> {
  if (send.status === 'sent' || send.status === 'failed') {
    await table.client.send(new PutCommand({ TableName: table.name, Item: toSendItem(send) }));
  } else await claimSend(table, send);
}
