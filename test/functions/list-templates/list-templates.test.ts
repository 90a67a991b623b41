import { describe, expect, it } from 'vitest';
import type { TemplatePage } from '#shared/templates/template-list-store';
import { endpoint } from '../../../functions/list-templates/endpoint.ts';
import { listTemplates } from '../../../functions/list-templates/list-templates.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTemplateWorld } from '../../support/template-world-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

const page: TemplatePage = { templates: [], next: undefined };

describe('listTemplates', () => {
  it("reads a page of the key's organization: twenty, from the newest on", async () => {
    const { credential, organizationId, templates } = buildTemplateWorld({}, []);
    const reads: unknown[] = [];
    const read = async (...args: readonly unknown[]) => {
      reads.push(args);
      return page;
    };

    const answered = await listTemplates(credential, () => endpoint.query.parse({}), {
      ...templates,
      templateLists: { read },
    });

    expect(answered).toEqual({ templates: [], nextCursor: null });
    expect(reads).toEqual([[organizationId, { before: undefined, limit: 20 }]]);
  });

  it('reads no query without a key', async () => {
    const { templates } = buildTemplateWorld();

    const error = await serviceErrorOf(() =>
      listTemplates(undefined, unexpected('the query'), {
        ...templates,
        templateLists: { read: unexpected('templateLists.read') },
      }),
    );

    expect(error.code).toBe('invalid_api_key');
  });
});
