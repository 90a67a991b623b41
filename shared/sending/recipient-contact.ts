import { ensureContact } from '#shared/contacts/contact-store';
import { parseEmailAddress } from '#shared/contacts/email-address';
import type { Table } from '#shared/table/table-client';
import { organizationIdOf } from '#shared/tokens/resource-id';
import type { Send } from './send.ts';

/** The normalised address a send went to. */
export function recipientIdentity({ toEmail }: Pick<Send, 'toEmail'>): string | undefined {
  const address = parseEmailAddress(toEmail);
  return address.ok ? address.value.identity : undefined;
}

/** Stores the contact of whom the send went to, if the organization has none. */
export async function ensureRecipient(table: Table, send: Send, now: number): Promise<void> {
  const identity = recipientIdentity(send);
  if (identity === undefined) return;
  await ensureContact(table, { organizationId: organizationIdOf(send.id), identity }, now);
}
