import { describe, expect, it } from 'vitest';
import { maxLocales } from '#shared/templates/check-template';
import type { Template } from '#shared/templates/template';
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  replaceTemplate,
} from '#shared/templates/template-store';
import { maxVersionsKept, published } from '#shared/templates/template-versions';
import {
  newOrganizationId,
  newTemplateId,
  organizationIdOf,
  type TemplateId,
} from '#shared/tokens/resource-id';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { buildTemplate } from '../../support/template-builder.ts';

const table = openStoreTable();
const create = (template: Template) => createTemplate(table, template, anyEntry());
const replace = (before: Template, after: Template) =>
  replaceTemplate(table, before, after, anyEntry());
const remove = (template: Template) => deleteTemplate(table, template, anyEntry());

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

    expect(await getTemplate(table, template.id)).toEqual(template);
  });

  it.each(['htmlContent', 'content'] as const)('may be without %s', async (part) => {
    const template = without(buildTemplate(), part);
    await create(template);

    expect(await getTemplate(table, template.id)).toStrictEqual(template);
  });

  it('may have two bodies of 256 KB', async () => {
    const body = 'é'.repeat(128 * 1024);
    const template = await store({ htmlContent: body, content: body, subject: 's'.repeat(998) });

    expect(await getTemplate(table, template.id)).toEqual(template);
  });

  it("can't have the name of another template in the organization", async () => {
    const first = await store();
    const second = siblingOf(first);

    const outcome = await create(second);

    expect(outcome).toBe('name_taken');
    expect(await getTemplate(table, second.id)).toBeUndefined();
    expect(await getTemplate(table, first.id)).toEqual(first);
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
    const found = await Promise.all(templates.map(({ id }) => getTemplate(table, id)));
    expect(found.filter((template) => template !== undefined)).toHaveLength(1);
  });
});

describe('an unknown template', () => {
  it("isn't found", async () => {
    expect(await getTemplate(table, newTemplateId(newOrganizationId()))).toBeUndefined();
  });
});

describe('a changed template', () => {
  it('is read as it is now', async () => {
    const before = await store();
    const after = changed(before, { subject: 'New', htmlContent: '<p>New</p>' });

    expect(await replace(before, after)).toBe('stored');
    expect(await getTemplate(table, before.id)).toEqual(after);
  });

  it('gains and loses a body', async () => {
    const before = await store();
    const after = without(changed(before, {}), 'content');

    await replace(before, after);

    expect(await getTemplate(table, before.id)).toStrictEqual(after);
  });

  it('is rejected when its version is outdated', async () => {
    const before = await store();
    const first = changed(before, { subject: 'First' });
    await replace(before, first);

    const outcome = await replace(before, changed(before, { subject: 'Second' }));

    expect(outcome).toBe('changed_meanwhile');
    expect(await getTemplate(table, before.id)).toEqual(first);
  });

  it('is changed by only one of many concurrent calls', async () => {
    const before = await store();
    const changes = Array.from({ length: 8 }, (_, index) =>
      changed(before, { subject: `Change ${index}` }),
    );

    const outcomes = await Promise.all(changes.map((after) => replace(before, after)));

    expect(outcomes.toSorted()).toEqual([...Array(7).fill('changed_meanwhile'), 'stored']);
    expect(await getTemplate(table, before.id)).toEqual(changes[outcomes.indexOf('stored')]);
  });

  it("isn't recreated by a late change", async () => {
    const before = await store();
    await remove(before);

    const outcome = await replace(before, changed(before, { name: 'Other' }));

    expect(outcome).toBe('changed_meanwhile');
    expect(await getTemplate(table, before.id)).toBeUndefined();
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
    expect(await getTemplate(table, before.id)).toEqual(before);
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
    expect(await getTemplate(table, template.id)).toBeUndefined();
    expect(await create(siblingOf(template))).toBe('stored');
  });

  it('stays when its version is outdated', async () => {
    const before = await store();
    const after = changed(before, { subject: 'New' });
    await replace(before, after);

    expect(await remove(before)).toBe('changed_meanwhile');
    expect(await getTemplate(table, before.id)).toEqual(after);
  });
});

describe('the largest template', () => {
  const inLanguages = (letter: string) =>
    Object.fromEntries(
      Array.from({ length: maxLocales }, (_, index) => [
        `${letter}${String.fromCharCode(97 + index)}`,
        { subject: letter },
      ]),
    );

  const newLayout = async (sibling: Template, name: string): Promise<TemplateId> => {
    const layout = siblingOf(sibling, { name, kind: 'layout' });
    expect(await create(layout)).toBe('stored');
    return layout.id;
  };

  /** A draft that shares no language or layout with what is published, and as many earlier versions as are kept. */
  async function storeLargest(): Promise<Template> {
    const { publishedAt: _, ...template } = buildTemplate({ version: 40, alias: 'before' });
    const layouts = [await newLayout(template, 'One'), await newLayout(template, 'Two')] as const;
    const largest: Template = {
      ...{ ...template, layout: layouts[0], locales: inLanguages('a'), isDraft: true },
      published: {
        ...{ version: 39, publishedAt: 1, subject: 'Taken' },
        ...{ layout: layouts[1], locales: inLanguages('b') },
      },
      versions: Array.from({ length: maxVersionsKept }, (_v, index) => ({
        version: 38 - index,
        publishedAt: 1,
      })),
    };
    expect(await create(largest)).toBe('stored');
    return largest;
  }

  it('is changed in one transaction, with everything that can change at once', async () => {
    const before = await storeLargest();
    const after: Template = {
      ...published(before, 1),
      ...{ version: 41, name: 'After', alias: 'after', locales: inLanguages('d') },
      layout: await newLayout(before, 'Three'),
    };

    expect(await replace(before, after)).toBe('stored');
    expect(await getTemplate(table, before.id)).toEqual(after);
  });

  it('is deleted in one transaction', async () => {
    const template = await storeLargest();

    expect(await remove(template)).toBe('stored');
    expect(await getTemplate(table, template.id)).toBeUndefined();
  });
});
