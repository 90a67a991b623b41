import type { Key } from '#shared/table/keys';
import { clickedKey, openedKey } from '#shared/table/send-keys';
import type { FeedbackId } from '#shared/tokens/resource-id';
import type { Click } from './tracking-token.ts';

/**
 * `at` in epoch milliseconds. Opens are stored with the send (`send-event-store.ts`); the hits of each link are
 * separate items (`engagement-store.ts`). `events/event-store.ts` decides which of them the timeline shows.
 */
export type Hit = { readonly at: number; readonly isMachine: boolean };

/** When the first hit by a person came. The whole value is absent if there was no hit. */
export type KnownHits = { readonly personTs?: number | undefined };

/** The first of all, or the first by a person: receivers get both. */
export const isNews = (known: KnownHits | undefined, { isMachine }: Hit): boolean =>
  known === undefined || (!isMachine && known.personTs === undefined);

export type Engagement = {
  readonly feedbackId: FeedbackId;
  readonly key: Key;
  readonly type: 'opened' | 'clicked';
  readonly url?: string;
};

/** A send has one `opened` event. */
export const openOf = (feedbackId: FeedbackId): Engagement => ({
  feedbackId,
  key: openedKey(feedbackId),
  type: 'opened',
});

/** A send has one `clicked` event per link. */
export const clickOf = ({ feedbackId, destination }: Click): Engagement => ({
  feedbackId,
  key: clickedKey(feedbackId, destination),
  type: 'clicked',
  url: withoutSecrets(destination),
});

/** A link's query and fragment may carry reset tokens and addresses, which the timeline doesn't need. */
function withoutSecrets(destination: string): string {
  const { origin, pathname } = new URL(destination);
  return origin + pathname;
}

/** Anything after a link's host may name a person. */
export const withoutPath = (engagement: Engagement): Engagement => ({
  ...engagement,
  ...(engagement.url !== undefined && { url: new URL(engagement.url).origin }),
});
