import { describe, expect, it } from 'vitest';
import type { TemplateChanges } from '#shared/templates/edit-template';
import { deleteUnusedTemplate, updateTemplate } from '#shared/templates/edit-template';
import { createTemplate, getTemplate } from '#shared/templates/template-store';
import { newTemplateId } from '#shared/tokens/resource-id';
import { openAccount } from '../../support/account.ts';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTemplate } from '../../support/template-builder.ts';

/** An organization with one template, at version 1. */
async function openTemplateAccount() {
  const account = await openAccount();
  const template = buildTemplate({ id: newTemplateId(account.organizationId) });
  await createTemplate(account.table, template, anyEntry());
  const ask = (ifMatch?: string, id = template.id) => ({
    ...{ caller: account.caller, path: { id }, headers: { 'if-match': ifMatch } },
  });
  return {
    ...account,
    template,
    ask,
    update: (changes: TemplateChanges, ifMatch?: string) =>
      updateTemplate({ ...ask(ifMatch), body: { ...changes, draft: false } }, account),
    stored: () => getTemplate(account.table, template.id),
  };
}

describe('changeTemplate', () => {
  it('returns the template as written', async () => {
    const { update, stored } = await openTemplateAccount();

    const after = await update({ subject: 'Ours' });

    expect(after).toMatchObject({ subject: 'Ours', version: 2 });
    expect(await stored()).toEqual(after);
  });

  it('applies the change again on top of a concurrent one', async () => {
    const { beforeNextWrite, update, stored } = await openTemplateAccount();
    beforeNextWrite(() => update({ subject: 'Theirs' }));

    await update({ content: 'Ours' });

    expect(await stored()).toMatchObject({ subject: 'Theirs', content: 'Ours', version: 3 });
  });

  it('gives up after the third try when every try meets another change', async () => {
    const { beforeNextWrite, update, stored } = await openTemplateAccount();
    const theirs = ['One', 'Two', 'Three'].map((subject) => () => update({ subject }));
    beforeNextWrite(...theirs);

    const { code } = await serviceErrorOf(() => update({ subject: 'Ours' }));

    expect(code).toBe('concurrent_change');
    expect(await stored()).toMatchObject({ subject: 'Three', version: 4 });
  });

  it('succeeds on the third try', async () => {
    const { beforeNextWrite, update, stored } = await openTemplateAccount();
    const theirs = ['One', 'Two'].map((subject) => () => update({ subject }));
    beforeNextWrite(...theirs);

    await update({ subject: 'Ours' });

    expect(await stored()).toMatchObject({ subject: 'Ours', version: 4 });
  });

  it("doesn't retry with If-Match", async () => {
    const { beforeNextWrite, update, stored } = await openTemplateAccount();
    beforeNextWrite(() => update({ subject: 'Theirs' }));

    const { code } = await serviceErrorOf(() => update({ subject: 'Ours' }, '"1"'));

    expect(code).toBe('version_mismatch');
    expect(await stored()).toMatchObject({ subject: 'Theirs', version: 2 });
  });

  it.each(['*', '1', '"1"', '"7", "1"', '"7" , *'])(
    'changes version 1 for If-Match: %s',
    async (ifMatch) => {
      const { update } = await openTemplateAccount();

      expect(await update({ subject: 'Ours' }, ifMatch)).toMatchObject({ version: 2 });
    },
  );

  it.each(['', '"2"', '"11"', 'W/"1"', '"7", "8"', '""', '1e0', 'nonsense'])(
    "doesn't change version 1 for If-Match: %s",
    async (ifMatch) => {
      const { update, template, stored } = await openTemplateAccount();

      const { code } = await serviceErrorOf(() => update({ subject: 'Ours' }, ifMatch));

      expect(code).toBe('version_mismatch');
      expect(await stored()).toEqual(template);
    },
  );

  it('finds nothing once the template was deleted in between', async () => {
    const account = await openTemplateAccount();
    account.beforeNextWrite(() => deleteUnusedTemplate(account.ask(), account));

    const { code } = await serviceErrorOf(() => account.update({ subject: 'Ours' }));

    expect(code).toBe('template_not_found');
    expect(await account.stored()).toBeUndefined();
  });

  it.each([
    ['name', 'template_name_taken'],
    ['alias', 'template_alias_taken'],
  ])("doesn't retry for a %s that is taken", async (field, code) => {
    const { table, callsOf, organizationId, template, update, stored } =
      await openTemplateAccount();
    const other = { id: newTemplateId(organizationId), name: 'Taken', alias: 'Taken' };
    await createTemplate(table, buildTemplate(other), anyEntry());

    const calls = await callsOf(async () => {
      expect((await serviceErrorOf(() => update({ [field]: 'Taken' }))).code).toBe(code);
    });

    expect(calls.filter((call) => call === 'TransactWriteItems')).toHaveLength(1);
    expect(await stored()).toEqual(template);
  });

  it("neither reads nor deletes another organization's template", async () => {
    const account = await openTemplateAccount();
    const foreign = buildTemplate();
    await createTemplate(account.table, foreign, anyEntry());

    const calls = await account.callsOf(async () => {
      const request = account.ask(undefined, foreign.id);
      const { code } = await serviceErrorOf(() => deleteUnusedTemplate(request, account));
      expect(code).toBe('template_not_found');
    });

    expect(calls).toEqual([]);
    expect(await getTemplate(account.table, foreign.id)).toEqual(foreign);
  });
});
