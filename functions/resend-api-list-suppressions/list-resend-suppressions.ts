import type { RequestTo } from '#shared/endpoints/endpoint';
import { requireOneDirection, resendList, unknownEntry } from '#shared/resend/list-page';
import {
  findSuppressions,
  origins,
  positionOf,
  toListedSuppression,
} from '#shared/resend/suppressions';
import type {
  NewerSuppressionsStore,
  SuppressionListStore,
  SuppressionPosition,
} from '#shared/suppressions/suppression-list-store';
import { readSuppressions } from '#shared/suppressions/suppression-search';
import type { endpoint } from './endpoint.ts';

type Listing = {
  readonly suppressionList: SuppressionListStore;
  readonly newer: NewerSuppressionsStore;
};

const defaultLimit = 20;

/** Only those that Resend would have, newest first. */
export async function listResendSuppressions(
  { caller: { organizationId }, query }: Pick<RequestTo<typeof endpoint>, 'caller' | 'query'>,
  { suppressionList, newer }: Listing,
) {
  const { limit = defaultLimit, after, before, origin } = query;
  requireOneDirection(query);
  const reason = origin === undefined ? origins : [origin];

  async function placeOf(
    parameter: 'after' | 'before',
    text: string,
  ): Promise<SuppressionPosition> {
    const found = await findSuppressions(text, organizationId, { suppressionList });
    if (found === undefined) throw unknownEntry(parameter);
    return positionOf(found.named[0]);
  }

  if (before === undefined) {
    const start = after === undefined ? undefined : await placeOf('after', after);
    const page = { limit, before: start, reason, since: undefined, until: undefined };
    const { found, next } = await readSuppressions(organizationId, page, suppressionList);
    return resendList(found.map(toListedSuppression), next !== undefined);
  }
  const range = { after: await placeOf('before', before), limit: limit + 1 };
  const entries = await newer.findNewer(organizationId, reason, range);
  const found = await suppressionList.get(entries.slice(-limit));
  const present = found.filter((one) => one !== undefined);
  return resendList(present.map(toListedSuppression), entries.length > limit);
}
