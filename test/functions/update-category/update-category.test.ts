import { describe, expect, it } from 'vitest';
import { getCategory, putCategory } from '#shared/preferences/category-store';
import { endpoint as updateCategory } from '../../../functions/update-category/update-category.ts';
import { type Account, openAccount } from '../../support/account.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const after = { key: 'news', name: 'Newsletter' };

async function openNews() {
  const account = await openAccount();
  await putCategory(account.table, account.organizationId, { key: 'news', name: 'News' });
  return account;
}

const rename = (account: Account, name: string, key = 'news') =>
  updateCategory.run(
    { ...surroundings, caller: account.caller, path: { key }, body: { name } },
    account,
  );

describe('updateCategory', () => {
  it('renames a category, on behalf of the key', async () => {
    const account = await openNews();

    expect(await rename(account, 'Newsletter')).toEqual(after);

    expect(await getCategory(account.table, account.organizationId, 'news')).toEqual(after);
    expect(await account.audit()).toEqual([
      expect.objectContaining({
        ...{ actor: account.apiKey.id, action: 'category.updated', target: 'news' },
        ...{ before: { name: 'News' }, after: { name: 'Newsletter' } },
      }),
    ]);
  });

  it('audits nothing when the category already has that name', async () => {
    const account = await openNews();

    expect(await rename(account, 'News')).toEqual({ key: 'news', name: 'News' });
    expect(await account.audit()).toEqual([]);
  });

  it("returns category_not_found for a key that the organization doesn't have", async () => {
    const account = await openNews();

    const error = await serviceErrorOf(() => rename(account, 'X', 'offers'));

    expect(error.code).toBe('category_not_found');
  });

  it('returns concurrent_change to the second of two requests that rename it at once', async () => {
    const account = await openNews();
    account.beforeNextWrite(() => rename(account, 'Newsletter'));

    const error = await serviceErrorOf(() => rename(account, 'Letters'));

    expect(error.code).toBe('concurrent_change');
    expect(await getCategory(account.table, account.organizationId, 'news')).toEqual(after);
  });
});
