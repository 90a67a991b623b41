import type { RequestTo } from '#shared/endpoints/endpoint';
import {
  type OrganizationStore,
  organizationPositionSchema,
} from '#shared/organizations/organization-store';
import { openCursor, sealCursor } from '#shared/table/cursor';
import { monthOf } from '#shared/usage/month';
import { sumUsage } from '#shared/usage/usage-counts';
import type { UsageStore } from '#shared/usage/usage-store';
import type { endpoint } from './endpoint.ts';

export type UsageListing = {
  readonly now: () => number;
  readonly organizations: Pick<OrganizationStore, 'readPage'>;
  readonly usage: Pick<UsageStore, 'read'>;
};

/** Each organization on the page costs one query. */
export async function listOrganizationUsage(
  { caller: owner, query: { limit, cursor, month: asked } }: RequestTo<typeof endpoint>,
  { now, organizations, usage }: UsageListing,
) {
  const month = asked ?? monthOf(now());
  const scope = { list: 'organization-usage', owner, filters: { month } };
  const before = openCursor(cursor, organizationPositionSchema, scope);
  const page = await organizations.readPage({ before, limit });
  const data = page.organizations.map(async ({ id, name }) => {
    const parts = await usage.read(id, { from: month, to: month });
    const { sends, recipients, attachments, attachmentBytes } = sumUsage(
      parts.map(({ counts }) => counts),
    );
    return { organizationId: id, name, month, sends, recipients, attachments, attachmentBytes };
  });
  return { data: await Promise.all(data), nextCursor: sealCursor(page.next, scope) };
}
