import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { listAuditEntries } from '#shared/audit/audit-store';
import { eraseContact } from '#shared/contacts/contact-store';

import { putOrganization } from '#shared/organizations/organization-store';
import { createTemplate, deleteTemplate, replaceTemplate } from '#shared/templates/template-store';
import { contactIdOf, newTemplateId, newWebhookId } from '#shared/tokens/resource-id';
import { createWebhook, deleteWebhook, replaceWebhook } from '#shared/webhooks/webhook-store';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { buildTemplate } from '../../support/template-builder.ts';
import { buildWebhook } from '../webhooks/webhook-builder.ts';

const table = openStoreTable();
const now = 1_750_000_000_000;

/** An organization, a maker of its entries, and the actions that its audit has, newest first. */
async function prepare() {
  const organization = buildOrganization();
  await putOrganization(table, organization);
  const { id } = organization;
  let entries = 0;
  const entry = (action: string) => {
    entries += 1;
    return newAuditEntry(id, 'operator', { action, target: id }, now + entries);
  };
  const actions = async () => {
    const page = await listAuditEntries(table, id, { before: undefined, limit: 100 }, now);
    return page.entries.map(({ action }) => action);
  };
  return { id, entry, actions };
}

describe('a change and its entry', () => {
  it('of a webhook are stored together or not at all', async () => {
    const { id, entry, actions } = await prepare();
    const webhook = buildWebhook({ id: newWebhookId(id) });
    const after = { ...webhook, updatedAt: webhook.updatedAt + 1 };

    await createWebhook(table, webhook, entry('created'));
    await replaceWebhook(table, webhook, after, { entry: entry('updated') });
    await replaceWebhook(table, webhook, after, { entry: entry('too late') });
    await deleteWebhook(table, webhook.id, entry('deleted'));
    await deleteWebhook(table, webhook.id, entry('deleted again'));

    expect(await actions()).toEqual(['deleted', 'updated', 'created']);
  });

  it('of a template are stored together or not at all', async () => {
    const { id, entry, actions } = await prepare();
    const template = buildTemplate({ id: newTemplateId(id) });
    const namesake = { ...template, id: newTemplateId(id) };
    const after = { ...template, version: template.version + 1 };

    await createTemplate(table, template, entry('created'));
    await createTemplate(table, namesake, entry('name taken'));
    await replaceTemplate(table, template, after, entry('updated'));
    await replaceTemplate(table, template, after, entry('too late'));
    await deleteTemplate(table, template, entry('of another version'));
    await deleteTemplate(table, after, entry('deleted'));

    expect(await actions()).toEqual(['deleted', 'updated', 'created']);
  });

  it('of a person who is erased are stored together', async () => {
    const { id, entry, actions } = await prepare();

    await eraseContact(table, contactIdOf(id, 'ann@example.com'), now, entry('erased'));

    expect(await actions()).toEqual(['erased']);
  });
});
