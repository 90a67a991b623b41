import { describe, expect, it } from 'vitest';
import { listCategories, putCategory } from '#shared/preferences/category-store';
import { endpoint as createCategory } from '../../../functions/create-category/create-category.ts';
import { type Account, openAccount } from '../../support/account.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const news = { key: 'news', name: 'News' };

const create = (account: Account, body = news) =>
  createCategory.run({ ...surroundings, caller: account.caller, body }, account);

describe('createCategory', () => {
  it('stores a category of the organization, on behalf of the key', async () => {
    const account = await openAccount();

    expect(await create(account)).toEqual(news);

    expect(await listCategories(account.table, account.organizationId)).toEqual([news]);
    expect(await account.audit()).toEqual([
      expect.objectContaining({
        ...{ actor: account.apiKey.id, action: 'category.created', target: 'news', after: news },
      }),
    ]);
  });

  it('refuses an existing key, even in concurrent requests', async () => {
    const account = await openAccount();
    account.beforeNextWrite(() => create(account));

    const meanwhile = await serviceErrorOf(() => create(account, { ...news, name: 'New' }));
    const afterwards = await serviceErrorOf(() => create(account, { ...news, name: 'Newer' }));

    expect([meanwhile.code, afterwards.code]).toEqual(['category_key_taken', 'category_key_taken']);
    expect(await listCategories(account.table, account.organizationId)).toEqual([news]);
  });

  it('refuses one category too many', async () => {
    const account = await openAccount({ limits: { categories: 2 } });
    await putCategory(account.table, account.organizationId, { key: 'c1', name: 'C' });
    await putCategory(account.table, account.organizationId, { key: 'c2', name: 'C' });

    const error = await serviceErrorOf(() => create(account));

    expect(error.code).toBe('too_many_categories');
    expect(await listCategories(account.table, account.organizationId)).toHaveLength(2);
  });
});
