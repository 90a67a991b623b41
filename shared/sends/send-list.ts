import * as z from 'zod/mini';
import { type Send, type SendStatus, stateAt } from '#shared/sending/send';
import { listPositionOf } from '#shared/table/list-position';
import { type Search, type SearchPage, searchList } from '#shared/table/list-search';
import { sendPosition } from '#shared/table/send-keys';
import {
  type ApiKeyId,
  type ContactId,
  type OrganizationId,
  type SlotId,
  slotIdIn,
  type TemplateId,
} from '#shared/tokens/resource-id';
import type { SendListStore } from './send-list-store.ts';

/** The position of a send in a list by time: its time and its slot. The slot tells two sends of one moment apart. */
export const sendPositionSchema = listPositionOf(
  z.string().check(z.regex(/^[a-z2-7]{24}$/)),
).brand<'SendPosition'>();
export type SendPosition = z.infer<typeof sendPositionSchema>;

/** A send as an index names it. By now it may be expired or deleted. */
export type ListedSend = { readonly slotId: SlotId; readonly position: SendPosition };

/** Where the send stands in the lists by time. */
export const listedAt = ({ id, createdAt }: Send): string => sendPosition(slotIdIn(id), createdAt);

/** Which sends of an organization are asked for. What is absent restricts nothing. */
export type SendSelection = Omit<Search<SendPosition, Send>, 'matches'> & {
  /** The contact whose address is `to`. */
  readonly to?: ContactId | undefined;
  readonly status?: SendStatus | undefined;
  readonly templateId?: TemplateId | undefined;
  readonly apiKeyId?: ApiKeyId | undefined;
};

/**
 * Reads the sends of an organization, newest first. Indexes find them by time, and by recipient. Any other
 * condition is looked for in the sends themselves, in so many of them as one search reads.
 */
export function readSends(
  organizationId: OrganizationId,
  { to, status, templateId, apiKeyId, ...search }: SendSelection,
  { sends, now }: { readonly sends: SendListStore; readonly now: () => number },
): Promise<SearchPage<SendPosition, Send>> {
  const isFiltered = [status, templateId, apiKeyId].some((wanted) => wanted !== undefined);
  const matches = (send: Send) =>
    (status === undefined || stateAt(send, now()).status === status) &&
    (templateId === undefined || send.templateId === templateId) &&
    (apiKeyId === undefined || send.apiKeyId === apiKeyId);
  return searchList<SendPosition, ListedSend, Send>(
    {
      find: (before, limit) =>
        to === undefined
          ? sends.find(organizationId, { before, limit })
          : sends.findTo(to, { before, limit }),
      get: (entries) => sends.get(entries, now()),
    },
    { ...search, ...(isFiltered && { matches }) },
  );
}
