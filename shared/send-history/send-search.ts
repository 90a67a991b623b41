import { domainToUnicode } from 'node:url';
import { providerMessageIdIn } from '#shared/email/ses-message-id';
import { idempotencyKeySchema, tagFilter } from '#shared/sending/request/send-fields';
import { addressesIn, type Send } from '#shared/sending/send';
import type { Tag } from '#shared/sending/send-options';
import {
  type FeedbackId,
  feedbackIdSchema,
  type SendId,
  sendIdSchema,
} from '#shared/tokens/resource-id';
import { holdsWords, tagTexts } from './search-words.ts';

/** Matches an id, or part of what a send's row shows. */
export type SendSearch = {
  readonly text: string;
  /** The text is an id, so it can't be part of anything else. */
  readonly id?: SendId | FeedbackId | undefined;
  readonly providerMessageId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
};

export function searchFor(text: string): SendSearch {
  const id = sendIdSchema.safeParse(text).data ?? feedbackIdSchema.safeParse(text).data;
  return {
    text,
    id,
    providerMessageId: providerMessageIdIn(text),
    idempotencyKey: idempotencyKeySchema.safeParse(text).data,
  };
}

export const tagPrefix = 'tag:';

/** For a text that starts with `tag:`. */
export const tagIn = (text: string): Tag | undefined =>
  text.startsWith(tagPrefix)
    ? tagFilter.safeParse(text.slice(tagPrefix.length).trim()).data
    : undefined;

type Shown = Pick<
  Send,
  'toEmail' | 'moreTo' | 'cc' | 'bcc' | 'subject' | 'tags' | 'idempotencyKey' | 'templateId'
>;

/**
 * Each word is part of an address, of the subject or of a tag, in any case: `ann reset` finds the reset that went to
 * ann@example.com. A template's id and the idempotency key count only whole, as short words would match in the digits of
 * any UUID.
 */
export function holdsText({ text }: SendSearch): (send: Shown) => boolean {
  const hasWords = holdsWords(text);
  return (send) =>
    send.idempotencyKey === text || send.templateId === text || hasWords(shownIn(send));
}

const shownIn = (send: Shown): string[] => [
  send.subject,
  ...addressesIn(send).flatMap(spellingsOf),
  ...tagTexts(send.tags),
];

/** Domains are stored in ASCII, but people type what they read. */
function spellingsOf(address: string): string[] {
  if (!address.includes('xn--')) return [address];
  const at = address.lastIndexOf('@') + 1;
  return [address, address.slice(0, at) + domainToUnicode(address.slice(at))];
}
