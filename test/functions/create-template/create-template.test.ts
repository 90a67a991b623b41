import { describe, expect, it } from 'vitest';
import { getTemplate } from '#shared/templates/template-store';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { endpoint as createTemplate } from '../../../functions/create-template/create-template.ts';
import { type Account, accountNow, openAccount } from '../../support/account.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const words = { name: 'Receipt', subject: 'Your receipt', content: 'Thank you.' };

const create = async (account: Account, name = words.name) => {
  const body = { ...words, name, draft: false };
  const { body: template } = await createTemplate.run(
    { ...surroundings, caller: account.caller, body },
    account,
  );
  return template;
};

describe('createTemplate', () => {
  it('stores version 1 of a template of the organization, published at once', async () => {
    const account = await openAccount();

    const { id } = await create(account);

    expect(organizationIdOf(id)).toBe(account.organizationId);
    expect(await getTemplate(account.table, id)).toEqual({
      ...words,
      ...{ id, version: 1 },
      ...{ createdAt: accountNow, updatedAt: accountNow, publishedAt: accountNow },
    });
    expect(await account.audit()).toEqual([
      expect.objectContaining({
        ...{ actor: account.apiKey.id, action: 'template.created', target: id },
      }),
    ]);
  });

  it("refuses another template's name", async () => {
    const account = await openAccount();
    await create(account);

    const { code } = await serviceErrorOf(() => create(account));

    expect(code).toBe('template_name_taken');
  });

  it('refuses one template more than the limit', async () => {
    const account = await openAccount({ limits: { templates: 2 } });
    await create(account, 'One');
    await create(account, 'Two');

    const { code } = await serviceErrorOf(() => create(account, 'Three'));

    expect(code).toBe('too_many_templates');
    expect(account.items().filter(({ sk }) => sk === 'TEMPLATE')).toHaveLength(2);
  });
});
