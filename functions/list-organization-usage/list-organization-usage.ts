import type { RequestTo } from '#shared/endpoints/endpoint';
import {
  type OrganizationStore,
  organizationPositionSchema,
} from '#shared/organizations/organization-store';
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
  const data = page.organizations.map(({ id, name }) => {
    const { sends, recipients, attachments, attachmentBytes } = counted.get(id) ?? sumUsage([]);
    return { organizationId: id, name, month, sends, recipients, attachments, attachmentBytes };
  });
  return { data, nextCursor: sealCursor(page.next, scope) };
}
