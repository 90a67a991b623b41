import { type ClaimOutcome, claimSend as claim } from '#shared/sending/claim';
import type { Send, SendUnderWay } from '#shared/sending/send';
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

/** A claim under an idempotency key, `key-1` unless told, of a window of five minutes. */
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
export const claimSend = (table: Table, wanted: Send): Promise<ClaimOutcome> =>
  claim(table, asClaimed(wanted));
