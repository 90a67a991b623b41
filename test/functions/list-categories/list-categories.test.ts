import { describe, expect, it } from 'vitest';
import { listCategories } from '../../../functions/list-categories/list-categories.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

const manager = buildManager();

describe('listCategories', () => {
  it("lists the categories of the key's organization", async () => {
    const list = async (id: string) =>
      id === manager.organizationId ? [{ key: 'news', name: 'News' }] : [];

    const all = await listCategories(manager.credential, { ...manager, categories: { list } });

    expect(all).toEqual([{ key: 'news', name: 'News' }]);
  });

  it('tells nothing to who may not manage the organization', async () => {
    const categories = { list: unexpected('categories.list') };

    const refusals = await refusalsOf((credential, authentication) =>
      listCategories(credential, { ...authentication, categories }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
