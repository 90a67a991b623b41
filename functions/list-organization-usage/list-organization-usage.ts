import type { RequestTo } from '#shared/endpoints/endpoint';
import {
  type OrganizationStore,
  organizationPositionSchema,
} from '#shared/organizations/organization-store';
import {
  type WebhookEventType,
  type WebhookSubscriptions,
  wantsEvent,
} from '#shared/organizations/webhook-subscriptions';
import { openCursor, sealCursor } from '#shared/table/cursor';
import { inParallel } from '#shared/timing/in-parallel';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { monthOf } from '#shared/usage/month';
import { sumUsage, type UsageCounts } from '#shared/usage/usage-counts';
import type { UsageStore } from '#shared/usage/usage-store';
import type { endpoint } from './endpoint.ts';

type UsageListing = {
  readonly now: () => number;
  readonly organizations: Pick<OrganizationStore, 'readPage'>;
  readonly usage: Pick<UsageStore, 'readCounts'>;
};

/** Each read holds a page of items in memory. */
const readsAtATime = 8;

/** Each organization on the page costs one query. */
export async function listOrganizationUsage(
  { caller: owner, query: { limit, cursor, month: asked } }: RequestTo<typeof endpoint>,
  { now, organizations, usage }: UsageListing,
) {
  const month = asked ?? monthOf(now());
  const scope = { list: 'organization-usage', owner, filters: { month } };
  const before = openCursor(cursor, organizationPositionSchema, scope);
  const page = await organizations.readPage({ before, limit });
  const counted = new Map<OrganizationId, UsageCounts>();
  await inParallel(page.organizations, readsAtATime, async ({ id }) => {
    counted.set(id, await usage.readCounts(id, month));
  });
  const data = page.organizations.map(({ id, name, webhooks }) => {
    const counts = counted.get(id) ?? sumUsage([]);
    const { sends, recipients, attachments, attachmentBytes } = counts;
    const webhookMessages = messagesOf(counts, webhooks);
    const used = { sends, recipients, attachments, attachmentBytes, webhookMessages };
    return { organizationId: id, name, month, ...used };
  });
  return { data, nextCursor: sealCursor(page.next, scope) };
}

const countedEvents = ['sent', 'delivered', 'bounced', 'complained', 'opened', 'clicked'] as const;

/** Nobody counts deliveries, as that would cost a write for each. Filters aren't known here, so it may be too many. */
const messagesOf = (counts: UsageCounts, webhooks: WebhookSubscriptions): number =>
  countedEvents
    .map((event) => {
      const type: WebhookEventType = `email.${event}`;
      const wanting = Object.values(webhooks).filter(({ eventTypes }) =>
        wantsEvent({ eventTypes }, type, undefined),
      );
      return counts[event] * wanting.length;
    })
    .reduce((sum, messages) => sum + messages, 0);
