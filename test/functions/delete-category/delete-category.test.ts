import { describe, expect, it } from 'vitest';
import type { Policy } from '#shared/organizations/organization';
import { getCategory, putCategory } from '#shared/preferences/category-store';
import { endpoint as deleteCategory } from '../../../functions/delete-category/delete-category.ts';
import { type Account, openAccount } from '../../support/account.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const letters: Readonly<Record<string, Policy>> = {
  letters: { kind: 'bulk', categoryKey: 'news' },
};

async function openNews(policies = {}) {
  const account = await openAccount();
  const { table, organizationId } = account;
  await putCategory(table, organizationId, { key: 'news', name: 'News' });
  await account.change({ policies });
  return account;
}

const remove = (account: Account, key = 'news') =>
  deleteCategory.run({ ...surroundings, caller: account.caller, path: { key } }, account);

const categoryIn = ({ table, organizationId }: Account) =>
  getCategory(table, organizationId, 'news');

describe('deleteCategory', () => {
  it('deletes a category that no policy names, on behalf of the key', async () => {
    const account = await openNews();

    await remove(account);

    expect(await categoryIn(account)).toBeUndefined();
    expect(await account.audit()).toEqual([
      expect.objectContaining({
        ...{ actor: account.apiKey.id, action: 'category.deleted' },
        before: { key: 'news', name: 'News' },
      }),
    ]);
  });

  it('keeps a category that a policy uses, and names the policy', async () => {
    const account = await openNews(letters);

    const error = await serviceErrorOf(() => remove(account));

    expect(error.code).toBe('category_in_use');
    expect(error.message).toContain('letters');
    expect(await categoryIn(account)).toBeDefined();
  });

  it('keeps a category that a concurrently stored policy uses', async () => {
    const account = await openNews();
    account.beforeNextWrite(() => account.change({ policies: letters }));

    const error = await serviceErrorOf(() => remove(account));

    expect(error.code).toBe('category_in_use');
    expect(await categoryIn(account)).toBeDefined();
  });

  it('retries once when the organization changed, then gives up', async () => {
    const once = await openNews();
    once.beforeNextWrite(() => once.change({ name: 'Other' }));
    const twice = await openNews();
    twice.beforeNextWrite(
      () => twice.change({ name: 'Other' }),
      () => twice.change({ name: 'Another' }),
    );

    await remove(once);
    const error = await serviceErrorOf(() => remove(twice));

    expect(await categoryIn(once)).toBeUndefined();
    expect(error.code).toBe('concurrent_change');
    expect(await categoryIn(twice)).toBeDefined();
  });

  it("returns category_not_found for a key that the organization doesn't have", async () => {
    const account = await openNews();

    expect((await serviceErrorOf(() => remove(account, 'offers'))).code).toBe('category_not_found');
  });
});
