import type * as z from 'zod/mini';
import type { contactEnvironment } from '#shared/config/environment';
import { createContactDependencies } from '#shared/contacts/contact-dependencies';
import { recipientIdentityOf } from '#shared/contacts/email-address';
import { openTable, type Table } from '#shared/table/table-client';
import type { FeedbackId } from '#shared/tokens/resource-id';
import { getSendByFeedbackId } from './timeline-store.ts';

/** Wires what the hosted pages need: the contacts, and the sends whose mails carry the links. */
export function createMailRecipientDependencies(environment: z.output<typeof contactEnvironment>) {
  const table = openTable(environment.TABLE_NAME);
  return {
    ...createContactDependencies(environment, table),
    recipientOf: (feedbackId: FeedbackId) => recipientOf(table, feedbackId),
  };
}

async function recipientOf(table: Table, feedbackId: FeedbackId): Promise<string | undefined> {
  const send = await getSendByFeedbackId(table, feedbackId, Date.now());
  return send && recipientIdentityOf(send.toEmail);
}
