import type { RequestTo } from '#shared/endpoints/endpoint';
import { toListedEmail } from '#shared/resend/email-view';
import { requireOneDirection, resendList, unknownEntry } from '#shared/resend/list-page';
import type { Send } from '#shared/sending/send';
import {
  listedAt,
  type NewerSendsStore,
  readSends,
  type SendListStore,
  type SendPosition,
  sendPositionSchema,
} from '#shared/sends/send-list-store';
import type { TimelineStore } from '#shared/sends/timeline-store';
import { feedbackIdOf, organizationIdOf, sendIdSchema } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

type EmailListing = {
  readonly now: () => number;
  readonly sends: SendListStore;
  readonly newerSends: NewerSendsStore;
  readonly timelines: Pick<TimelineStore, 'getSend'>;
};

const defaultLimit = 20;

export async function listEmails(
  { caller, query }: Pick<RequestTo<typeof endpoint>, 'caller' | 'query'>,
  listing: EmailListing,
) {
  const { limit = defaultLimit, after, before } = query;
  requireOneDirection(query);
  const { organizationId } = caller;
  const isTest = caller.apiKey.test === true;
  const at = listing.now();

  async function positionOf(parameter: 'after' | 'before', text: string): Promise<SendPosition> {
    const id = sendIdSchema.safeParse(text).data;
    const isOwn = id !== undefined && organizationIdOf(id) === organizationId;
    const send = isOwn ? await listing.timelines.getSend(feedbackIdOf(id), at) : undefined;
    if (send?.id !== id || (send?.test === true) !== isTest || send === undefined) {
      throw unknownEntry(parameter);
    }
    return sendPositionSchema.parse(listedAt(send));
  }

  const shown = (sends: readonly Send[]) => sends.map((send) => toListedEmail(send, at));
  if (before === undefined) {
    const start = after === undefined ? undefined : await positionOf('after', after);
    const page = { isTest, before: start, limit };
    const { found, next } = await readSends(organizationId, page, listing);
    return resendList(shown(found), next !== undefined);
  }
  const range = { after: await positionOf('before', before), limit: limit + 1 };
  const newer = await listing.newerSends.findNewer(organizationId, range, { isTest });
  const found = await listing.sends.get(newer.slice(-limit), at);
  return resendList(shown(found.filter((send) => send !== undefined)), newer.length > limit);
}
