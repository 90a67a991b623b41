import { describe, expect, it, vi } from 'vitest';
import type { Template } from '#shared/templates/template';
import { openTemplateStore } from '#shared/templates/template-store';
import { newOrganizationId, newTemplateId, organizationIdOf } from '#shared/tokens/resource-id';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { patience } from '../../support/patience.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { buildTemplate } from '../../support/template-builder.ts';

const table = openStoreTable();
const templateStore = openTemplateStore(table);

async function store(overrides: Partial<Template> = {}): Promise<Template> {
  const template = buildTemplate(overrides);
  expect(await templateStore.create(template, anyEntry())).toBe('stored');
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
  it('is read as it was stored', async () => {
    const template = await store();

    expect(await templateStore.get(template.id)).toEqual(template);
  });

  it.each(['htmlContent', 'content'] as const)('may be without %s', async (part) => {
    const template = without(buildTemplate(), part);
    await templateStore.create(template, anyEntry());

    expect(await templateStore.get(template.id)).toStrictEqual(template);
  });

  it('may have two bodies of 256 KB', async () => {
    const body = 'é'.repeat(128 * 1024);
    const template = await store({ htmlContent: body, content: body, subject: 's'.repeat(998) });

    expect(await templateStore.get(template.id)).toEqual(template);
  });

  it('does not take a name that another of the organization has', async () => {
    const first = await store();
    const second = siblingOf(first);

    const outcome = await templateStore.create(second, anyEntry());

    expect(outcome).toBe('name_taken');
    expect(await templateStore.get(second.id)).toBeUndefined();
    expect(await templateStore.get(first.id)).toEqual(first);
  });

  it('may have a name of another case, or of another organization’s', async () => {
    const first = await store();

    expect(await templateStore.create(siblingOf(first, { name: 'receipt' }), anyEntry())).toBe(
      'stored',
    );
    expect(await templateStore.create(buildTemplate({ name: first.name }), anyEntry())).toBe(
      'stored',
    );
  });

  it('is the only one of its name when many are stored at once', async () => {
    const organizationId = newOrganizationId();
    const templates = Array.from({ length: 10 }, () =>
      buildTemplate({ id: newTemplateId(organizationId) }),
    );

    const outcomes = await Promise.all(
      templates.map((each) => templateStore.create(each, anyEntry())),
    );

    expect(outcomes.toSorted()).toEqual([...Array(9).fill('name_taken'), 'stored']);
    const found = await Promise.all(templates.map(({ id }) => templateStore.get(id)));
    expect(found.filter((template) => template !== undefined)).toHaveLength(1);
  });
});

describe('an unknown template', () => {
  it('is none', async () => {
    expect(await templateStore.get(newTemplateId(newOrganizationId()))).toBeUndefined();
  });
});

describe('a changed template', () => {
  it('is read as it is now', async () => {
    const before = await store();
    const after = changed(before, { subject: 'New', htmlContent: '<p>New</p>' });

    expect(await templateStore.replace(before, after, anyEntry())).toBe('stored');
    expect(await templateStore.get(before.id)).toEqual(after);
  });

  it('gains and loses a body', async () => {
    const before = await store();
    const after = without(changed(before, {}), 'content');

    await templateStore.replace(before, after, anyEntry());

    expect(await templateStore.get(before.id)).toStrictEqual(after);
  });

  it('is refused when it is not the version that was seen', async () => {
    const before = await store();
    const first = changed(before, { subject: 'First' });
    await templateStore.replace(before, first, anyEntry());

    const outcome = await templateStore.replace(
      before,
      changed(before, { subject: 'Second' }),
      anyEntry(),
    );

    expect(outcome).toBe('changed_meanwhile');
    expect(await templateStore.get(before.id)).toEqual(first);
  });

  it('wins alone when many change it at once', async () => {
    const before = await store();
    const changes = Array.from({ length: 8 }, (_, index) =>
      changed(before, { subject: `Change ${index}` }),
    );

    const outcomes = await Promise.all(
      changes.map((after) => templateStore.replace(before, after, anyEntry())),
    );

    expect(outcomes.toSorted()).toEqual([...Array(7).fill('changed_meanwhile'), 'stored']);
    expect(await templateStore.get(before.id)).toEqual(changes[outcomes.indexOf('stored')]);
  });

  it('is never read half old and half new', async () => {
    let current = await store({ subject: '0', htmlContent: '0', content: '0' });
    const { id } = current;
    let isWriting = true;
    let reads = 0;
    const write = async () => {
      for (let round = 1; round <= 40; round += 1) {
        const text = String(round).repeat(20_000);
        const after = changed(current, { subject: `${round}`, htmlContent: text, content: text });
        const readsBefore = reads;
        await templateStore.replace(current, after, anyEntry());
        current = after;
        // Who reads tries a few times only: a writer that never pauses could outrun it on a busy machine.
        await vi.waitUntil(() => reads > readsBefore, { ...patience, interval: 1 });
      }
      isWriting = false;
    };
    const mixed: string[] = [];
    const read = async () => {
      while (isWriting) {
        const template = await templateStore.get(id);
        const [subject, html, text] = [
          template?.subject ?? '',
          template?.htmlContent,
          template?.content,
        ];
        if (!html?.startsWith(subject) || html !== text) mixed.push(subject);
        reads += 1;
      }
    };

    await Promise.all([write(), read(), read()]);

    expect(mixed).toEqual([]);
  });

  it('is not brought back by a change that comes too late', async () => {
    const before = await store();
    await templateStore.delete(before, anyEntry());

    const outcome = await templateStore.replace(
      before,
      changed(before, { name: 'Other' }),
      anyEntry(),
    );

    expect(outcome).toBe('changed_meanwhile');
    expect(await templateStore.get(before.id)).toBeUndefined();
    expect(await templateStore.create(siblingOf(before, { name: 'Other' }), anyEntry())).toBe(
      'stored',
    );
  });
});

describe('a renamed template', () => {
  it('frees its old name and holds the new one', async () => {
    const before = await store();

    const outcome = await templateStore.replace(
      before,
      changed(before, { name: 'Invoice' }),
      anyEntry(),
    );

    expect(outcome).toBe('stored');
    expect(await templateStore.create(siblingOf(before, { name: 'Invoice' }), anyEntry())).toBe(
      'name_taken',
    );
    expect(await templateStore.create(siblingOf(before, { name: before.name }), anyEntry())).toBe(
      'stored',
    );
  });

  it('does not take the name of another, and keeps its own', async () => {
    const other = await store({ name: 'Invoice' });
    const before = siblingOf(other, { name: 'Receipt' });
    await templateStore.create(before, anyEntry());

    const outcome = await templateStore.replace(
      before,
      changed(before, { name: 'Invoice' }),
      anyEntry(),
    );

    expect(outcome).toBe('name_taken');
    expect(await templateStore.get(before.id)).toEqual(before);
    expect(await templateStore.create(siblingOf(other, { name: 'Receipt' }), anyEntry())).toBe(
      'name_taken',
    );
  });

  it('is one of two that swap their names at once, or none', async () => {
    const one = await store({ name: 'One' });
    const two = siblingOf(one, { name: 'Two' });
    await templateStore.create(two, anyEntry());

    const outcomes = await Promise.all([
      templateStore.replace(one, changed(one, { name: 'Two' }), anyEntry()),
      templateStore.replace(two, changed(two, { name: 'One' }), anyEntry()),
    ]);

    expect(outcomes).toEqual(['name_taken', 'name_taken']);
  });
});

describe('a deleted template', () => {
  it('is gone with its bodies, and its name is free', async () => {
    const template = await store();

    expect(await templateStore.delete(template, anyEntry())).toBe('stored');
    expect(await templateStore.get(template.id)).toBeUndefined();
    expect(await templateStore.create(siblingOf(template), anyEntry())).toBe('stored');
  });

  it('stays when it is not the version that was seen', async () => {
    const before = await store();
    const after = changed(before, { subject: 'New' });
    await templateStore.replace(before, after, anyEntry());

    expect(await templateStore.delete(before, anyEntry())).toBe('changed_meanwhile');
    expect(await templateStore.get(before.id)).toEqual(after);
  });
});
