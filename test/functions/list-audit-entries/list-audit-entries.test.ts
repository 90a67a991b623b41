import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { auditPositionSchema } from '#shared/audit/audit-store';
import { parseParameters } from '#shared/http/parse-request';
import { sealCursor } from '#shared/table/cursor';
import { sortableTime } from '#shared/table/keys';
import { endpoint } from '../../../functions/list-audit-entries/endpoint.ts';
import { listAuditEntries } from '../../../functions/list-audit-entries/list-audit-entries.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

describe('listAuditEntries', () => {
  it("answers a page of the manager's organization, from the cursor on", async () => {
    const { organizationId, actor, credential, cursorOwner: owner, ...stores } = buildManager();
    const change = { action: 'organization.updated', target: organizationId };
    const entry = newAuditEntry(organizationId, actor, change, 1);
    const position = `${sortableTime(1)}#${entry.id}`;
    const query = { limit: '2', cursor: sealCursor(position, { list: 'audit', owner }) ?? '' };
    const audit = {
      list: async (...args: readonly unknown[]) => {
        expect(args).toEqual([organizationId, { before: position, limit: 2 }, stores.now()]);
        return { entries: [entry], next: auditPositionSchema.parse(position) };
      },
    };

    const page = await listAuditEntries(credential, () => parseParameters(endpoint.query, query), {
      ...stores,
      audit,
    });

    expect(page).toEqual({ entries: [entry], nextCursor: query.cursor });
  });

  it('reads nothing when the caller may not manage the organization', async () => {
    const refusals = await refusalsOf((credential, authentication) =>
      listAuditEntries(credential, () => parseParameters(endpoint.query, { limit: '0' }), {
        ...authentication,
        audit: { list: unexpected('audit.list') },
      }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
