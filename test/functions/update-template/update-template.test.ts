import { describe, expect, it } from 'vitest';
import type { Template } from '#shared/templates/template';
import { createTemplate, getTemplate } from '#shared/templates/template-store';
import { newTemplateId } from '#shared/tokens/resource-id';
import { endpoint as updateTemplate } from '../../../functions/update-template/update-template.ts';
import { accountNow, openAccount } from '../../support/account.ts';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { surroundings } from '../../support/surroundings.ts';
import { buildTemplate } from '../../support/template-builder.ts';

/** An organization with a template, and a request that gives it another subject. */
async function openTemplateAccount(parts: Partial<Template> = {}) {
  const account = await openAccount();
  const template = buildTemplate({ id: newTemplateId(account.organizationId), ...parts });
  await createTemplate(account.table, template, anyEntry());
  const update = () =>
    updateTemplate.run(
      {
        ...{ ...surroundings, caller: account.caller, path: { id: template.id }, headers: {} },
        body: { subject: 'New', draft: false },
      },
      account,
    );
  return { ...account, template, update, stored: () => getTemplate(account.table, template.id) };
}

describe('updateTemplate', () => {
  it('stores the next version with the given fields changed and the others kept', async () => {
    const { template, update, stored, audit, apiKey } = await openTemplateAccount();

    const { headers } = await update();

    expect(headers).toEqual({ ETag: '"2"' });
    expect(await stored()).toEqual({
      ...template,
      ...{ subject: 'New', version: 2, updatedAt: accountNow, publishedAt: accountNow },
      versions: [{ version: 1, publishedAt: template.publishedAt }],
    });
    expect(await audit()).toEqual([
      expect.objectContaining({
        ...{ actor: apiKey.id, action: 'template.updated', target: template.id },
      }),
    ]);
  });
});
