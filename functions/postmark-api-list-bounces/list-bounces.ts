import type { RequestTo } from '#shared/endpoints/endpoint';
import { invalidField } from '#shared/errors/service-error';
import { outcomesOfType, toBounce } from '#shared/postmark/bounces';
import { tagName } from '#shared/postmark/email-request';
import { addressesIn, isTestSend, type Send } from '#shared/sending/send';
import type { OutcomeCauses } from '#shared/sends/outcome-cause';
import { isSelected, readSends, type SendListStore } from '#shared/sends/send-list-store';
import type { TimelineStore } from '#shared/sends/timeline-store';
import { mostExamined } from '#shared/table/list-search';
import { feedbackIdOf, organizationIdOf, sendIdSchema } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

type Listing = {
  readonly now: () => number;
  readonly sends: SendListStore;
  readonly timelines: Pick<TimelineStore, 'getSend'>;
  readonly causes: OutcomeCauses;
};

const defaultCount = 100;

export async function listBounces(
  { caller, query }: Pick<RequestTo<typeof endpoint>, 'caller' | 'query'>,
  listing: Listing,
) {
  const { count = defaultCount, offset = 0, type, emailFilter, tag, messageID } = query;
  const last = offset + count;
  if (last > mostExamined) {
    throw invalidField('offset', `and count must be at most ${mostExamined} together: give todate`);
  }
  const { organizationId } = caller;
  const now = listing.now();
  const text = emailFilter?.toLowerCase();
  const selection = {
    isTest: caller.apiKey.test === true,
    outcomes: outcomesOfType(type),
    since: query.fromdate ?? query.fromDate,
    until: query.todate ?? query.toDate,
    limit: last,
    before: undefined,
    ...(tag !== undefined && { tag: [tagName, tag] as const }),
    ...(text !== undefined && {
      holds: (send: Send) => addressesIn(send).some((one) => one.toLowerCase().includes(text)),
    }),
  };

  async function findOne(given: string): Promise<readonly Send[]> {
    const id = sendIdSchema.safeParse(given).data;
    if (id === undefined || organizationIdOf(id) !== organizationId) return [];
    const send = await listing.timelines.getSend(feedbackIdOf(id), now);
    if (send?.id !== id || isTestSend(send) !== selection.isTest) return [];
    return isSelected(send, selection, now) ? [send] : [];
  }

  const { found, next } =
    messageID === undefined
      ? await readSends(organizationId, selection, listing)
      : { found: await findOne(messageID), next: undefined };
  const page = found.slice(offset, last);
  const causeOf = await listing.causes.of(page, now);
  return {
    TotalCount: found.length + (next === undefined ? 0 : 1),
    Bounces: page.flatMap((send) => toBounce(send, causeOf(send.id) ?? {}, now)),
  };
}
