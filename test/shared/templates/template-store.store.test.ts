import { describe, expect, it } from 'vitest';
import type { Template } from '#shared/templates/template';
import { openTemplateStore } from '#shared/templates/template-store';
import { newOrganizationId, newTemplateId, organizationIdOf } from '#shared/tokens/resource-id';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { buildTemplate } from '../../support/template-builder.ts';

const table = openStoreTable();
const templateStore = openTemplateStore(table);
const create = (template: Template) => templateStore.create(template, anyEntry());
const replace = (before: Template, after: Template) =>
  templateStore.replace(before, after, anyEntry());
const remove = (template: Template) => templateStore.delete(template, anyEntry());

async function store(overrides: Partial<Template> = {}): Promise<Template> {
  const template = buildTemplate(overrides);
  expect(await create(template)).toBe('stored');
  return template;
}

/** Another template of the same organization. */
const siblingOf = ({ id }: Template, overrides: Partial<Template> = {}): Template =>
  buildTemplate({ id: newTemplateId(organizationIdOf(id)), ...overrides });

const changed = (template: Template, changes: Partial<Template>): Template => ({
  ...template,
  version: template.version + 1,
  ...changes,
});

const without = <Name extends 'htmlContent' | 'content'>(template: Template, part: Name) => {
  const { [part]: _body, ...rest } = template;
  return rest;
};

describe('a new template', () => {
  it('is read back as stored', async () => {
    const template = await store();

    expect(await templateStore.get(template.id)).toEqual(template);
  });

  it.each(['htmlContent', 'content'] as const)('may be without %s', async (part) => {
    const template = without(buildTemplate(), part);
    await create(template);

    expect(await templateStore.get(template.id)).toStrictEqual(template);
  });

  it('may have two bodies of 256 KB', async () => {
    const body = 'é'.repeat(128 * 1024);
    const template = await store({ htmlContent: body, content: body, subject: 's'.repeat(998) });

    expect(await templateStore.get(template.id)).toEqual(template);
  });

  it("can't have the name of another template in the organization", async () => {
    const first = await store();
    const second = siblingOf(first);

    const outcome = await create(second);

    expect(outcome).toBe('name_taken');
    expect(await templateStore.get(second.id)).toBeUndefined();
    expect(await templateStore.get(first.id)).toEqual(first);
  });

  it('can have a name that differs in case, or another organization’s', async () => {
    const first = await store();

    expect(await create(siblingOf(first, { name: 'receipt' }))).toBe('stored');
    expect(await create(buildTemplate({ name: first.name }))).toBe('stored');
  });

  it('is the only one with its name when many are stored concurrently', async () => {
    const organizationId = newOrganizationId();
    const templates = Array.from({ length: 10 }, () =>
      buildTemplate({ id: newTemplateId(organizationId) }),
    );

    const outcomes = await Promise.all(templates.map((each) => create(each)));

    expect(outcomes.toSorted()).toEqual([...Array(9).fill('name_taken'), 'stored']);
    const found = await Promise.all(templates.map(({ id }) => templateStore.get(id)));
    expect(found.filter((template) => template !== undefined)).toHaveLength(1);
  });
});

describe('an unknown template', () => {
  it("isn't found", async () => {
    expect(await templateStore.get(newTemplateId(newOrganizationId()))).toBeUndefined();
  });
});

describe('a changed template', () => {
  it('is read as it is now', async () => {
    const before = await store();
    const after = changed(before, { subject: 'New', htmlContent: '<p>New</p>' });

    expect(await replace(before, after)).toBe('stored');
    expect(await templateStore.get(before.id)).toEqual(after);
  });

  it('gains and loses a body', async () => {
    const before = await store();
    const after = without(changed(before, {}), 'content');

    await replace(before, after);

    expect(await templateStore.get(before.id)).toStrictEqual(after);
  });

  it('is rejected when its version is outdated', async () => {
    const before = await store();
    const first = changed(before, { subject: 'First' });
    await replace(before, first);

    const outcome = await replace(before, changed(before, { subject: 'Second' }));

    expect(outcome).toBe('changed_meanwhile');
    expect(await templateStore.get(before.id)).toEqual(first);
  });

  it('is changed by only one of many concurrent calls', async () => {
    const before = await store();
    const changes = Array.from({ length: 8 }, (_, index) =>
      changed(before, { subject: `Change ${index}` }),
    );

    const outcomes = await Promise.all(changes.map((after) => replace(before, after)));

    expect(outcomes.toSorted()).toEqual([...Array(7).fill('changed_meanwhile'), 'stored']);
    expect(await templateStore.get(before.id)).toEqual(changes[outcomes.indexOf('stored')]);
  });

  it("isn't recreated by a late change", async () => {
    const before = await store();
    await remove(before);

    const outcome = await replace(before, changed(before, { name: 'Other' }));

    expect(outcome).toBe('changed_meanwhile');
    expect(await templateStore.get(before.id)).toBeUndefined();
    expect(await create(siblingOf(before, { name: 'Other' }))).toBe('stored');
  });
});

describe('a renamed template', () => {
  it('frees its old name and holds the new one', async () => {
    const before = await store();

    const outcome = await replace(before, changed(before, { name: 'Invoice' }));

    expect(outcome).toBe('stored');
    expect(await create(siblingOf(before, { name: 'Invoice' }))).toBe('name_taken');
    expect(await create(siblingOf(before, { name: before.name }))).toBe('stored');
  });

  it("can't take another's name, and keeps its own", async () => {
    const other = await store({ name: 'Invoice' });
    const before = siblingOf(other, { name: 'Receipt' });
    await create(before);

    const outcome = await replace(before, changed(before, { name: 'Invoice' }));

    expect(outcome).toBe('name_taken');
    expect(await templateStore.get(before.id)).toEqual(before);
    expect(await create(siblingOf(other, { name: 'Receipt' }))).toBe('name_taken');
  });

  it('is one of two that swap names concurrently, or neither is', async () => {
    const one = await store({ name: 'One' });
    const two = siblingOf(one, { name: 'Two' });
    await create(two);

    const outcomes = await Promise.all([
      replace(one, changed(one, { name: 'Two' })),
      replace(two, changed(two, { name: 'One' })),
    ]);

    expect(outcomes).toEqual(['name_taken', 'name_taken']);
  });
});

describe('a deleted template', () => {
  it('is gone with its bodies, and its name is free', async () => {
    const template = await store();

    expect(await remove(template)).toBe('stored');
    expect(await templateStore.get(template.id)).toBeUndefined();
    expect(await create(siblingOf(template))).toBe('stored');
  });

  it('stays when its version is outdated', async () => {
    const before = await store();
    const after = changed(before, { subject: 'New' });
    await replace(before, after);

    expect(await remove(before)).toBe('changed_meanwhile');
    expect(await templateStore.get(before.id)).toEqual(after);
  });
});
