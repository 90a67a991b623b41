import type * as z from 'zod/mini';
import type { contactEnvironment } from '#shared/config/environment';
import { openContacts } from '#shared/preferences/contacts';
import { openTable } from '#shared/table/table-client';
import type { FeedbackId } from '#shared/tokens/resource-id';
import { openTimelineStore } from './timeline-store.ts';

/** What the endpoints behind the unsubscribe and preferences links of an email use. */
export function openMailedContacts(environment: z.output<typeof contactEnvironment>) {
  const table = openTable(environment.TABLE_NAME);
  return {
    ...openContacts(environment, table),
    /** The send whose email carries a link. One function: the whole store would be in every bundle. */
    findSend: (feedbackId: FeedbackId, now: number) =>
      openTimelineStore(table).getSend(feedbackId, now),
  };
}
export type MailedContacts = ReturnType<typeof openMailedContacts>;
