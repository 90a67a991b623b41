import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { parseParameters } from '#shared/http/parse-request';
import { sortableTime } from '#shared/table/keys';
import { toCursor } from '#shared/table/list-position';
import { listAuditEntries } from '../../../functions/list-audit-entries/list-audit-entries.ts';
import { querySchema } from '../../../functions/list-audit-entries/schema.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

describe('listAuditEntries', () => {
  it("answers a page of the manager's organization, from the cursor on", async () => {
    const { organizationId, actor, credential, ...authentication } = buildManager();
    const change = { action: 'organization.updated', target: organizationId };
    const entry = newAuditEntry(organizationId, actor, change, 1);
    const position = `${sortableTime(1)}#${entry.id}`;
    const query = { limit: '2', cursor: toCursor(position) };
    const audit = {
      list: async (...args: readonly unknown[]) => {
        expect(args).toEqual([
          organizationId,
          { before: position, limit: 2 },
          authentication.now(),
        ]);
        return { entries: [entry], next: undefined };
      },
    };

    const page = await listAuditEntries(credential, () => parseParameters(querySchema, query), {
      ...authentication,
      audit,
    });

    expect(page.entries).toEqual([entry]);
  });

  it('reads nothing when the caller may not manage the organization', async () => {
    const refusals = await refusalsOf((credential, authentication) =>
      listAuditEntries(credential, () => parseParameters(querySchema, { limit: '0' }), {
        ...authentication,
        audit: { list: unexpected('audit.list') },
      }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
