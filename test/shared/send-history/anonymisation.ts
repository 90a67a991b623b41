import { putOrganization } from '#shared/organizations/organization-store';
import { recordEvent } from '#shared/send-history/record-event';
import { anonymiseSend, type SendErasure } from '#shared/send-history/send-erasure-store';
import { findSendsTo } from '#shared/send-history/send-list-store';
import type { Send } from '#shared/sending/send';
import type { Table } from '#shared/table/table-client';
import {
  contactIdOf,
  newOrganizationId,
  newWebhookId,
  type OrganizationId,
  slotIdIn,
} from '#shared/tokens/resource-id';
import { noContentErasure } from '../../support/memory-contents.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { ann, buildAcceptance, erasedAt } from '../../support/recipient-builder.ts';

/** What a test of anonymised sends does with a table. */
export function openAnonymisation(table: Table) {
  const recording = {
    table,
    now: () => erasedAt,
    sendRetentionDays: 90,
    wakeQueue: async () => {},
  };
  return {
    recording,

    find: (organizationId: OrganizationId, identity = ann) =>
      findSendsTo(table, contactIdOf(organizationId, identity), {
        before: undefined,
        limit: 100,
      }),

    anonymise: (send: Send, erasure: Partial<SendErasure> = {}, now = erasedAt, on = table) =>
      anonymiseSend(
        on,
        noContentErasure,
        slotIdIn(send.id),
        { identity: ann, expires: false, ...erasure },
        now,
      ),

    /** An organization whose endpoint subscribes to everything. */
    newOrganization: async (): Promise<OrganizationId> => {
      const id = newOrganizationId();
      const webhooks = { [newWebhookId(id)]: { eventTypes: [] } };
      await putOrganization(table, buildOrganization({ id, webhooks }));
      return id;
    },

    /** SES reports that a message of the send was delivered, which proves the acceptance, too. */
    reportDelivery: ({ feedbackId }: Send) => {
      const { providerMessageId, at } = buildAcceptance();
      const fact = {
        kind: 'happened',
        type: 'delivered',
        at,
        acceptedAt: at,
        providerMessageId,
        mailedTo: [ann],
        feedbackId,
        reason: undefined,
        recipients: [],
        suppression: undefined,
      } as const;
      return recordEvent(fact, recording);
    },
  };
}

export const slotsOf = (found: readonly { readonly slotId: string }[]) =>
  found.map(({ slotId }) => slotId);

export const withoutAnn = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/ann@example\.com/gi, 'erased'));

/** The number of writes that anonymise a stored email: the send, its events and deliveries, the send again. */
export const writesOfAnonymisation = 8;
