import { describe, expect, it, vi } from 'vitest';
import type { Template } from '#shared/templates/template';
import {
  deleteTemplate,
  getTemplate,
  putNewTemplate,
  replaceTemplate,
} from '#shared/templates/template-store';
import { newOrganizationId, newTemplateId, organizationIdOf } from '#shared/tokens/resource-id';
import { patience } from '../../support/patience.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { buildTemplate } from '../../support/template-builder.ts';

const table = openStoreTable();

async function store(overrides: Partial<Template> = {}): Promise<Template> {
  const template = buildTemplate(overrides);
  expect(await putNewTemplate(table, template)).toBe('stored');
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

    expect(await getTemplate(table, template.id)).toEqual(template);
  });

  it.each(['htmlContent', 'content'] as const)('may be without %s', async (part) => {
    const template = without(buildTemplate(), part);
    await putNewTemplate(table, template);

    expect(await getTemplate(table, template.id)).toStrictEqual(template);
  });

  it('may have two bodies of 256 KB', async () => {
    const body = 'é'.repeat(128 * 1024);
    const template = await store({ htmlContent: body, content: body, subject: 's'.repeat(998) });

    expect(await getTemplate(table, template.id)).toEqual(template);
  });

  it('does not take a name that another of the organization has', async () => {
    const first = await store();
    const second = siblingOf(first);

    const outcome = await putNewTemplate(table, second);

    expect(outcome).toBe('name_taken');
    expect(await getTemplate(table, second.id)).toBeUndefined();
    expect(await getTemplate(table, first.id)).toEqual(first);
  });

  it('may have a name of another case, or of another organization’s', async () => {
    const first = await store();

    expect(await putNewTemplate(table, siblingOf(first, { name: 'receipt' }))).toBe('stored');
    expect(await putNewTemplate(table, buildTemplate({ name: first.name }))).toBe('stored');
  });

  it('is the only one of its name when many are stored at once', async () => {
    const organizationId = newOrganizationId();
    const templates = Array.from({ length: 10 }, () =>
      buildTemplate({ id: newTemplateId(organizationId) }),
    );

    const outcomes = await Promise.all(templates.map((each) => putNewTemplate(table, each)));

    expect(outcomes.toSorted()).toEqual([...Array(9).fill('name_taken'), 'stored']);
    const found = await Promise.all(templates.map(({ id }) => getTemplate(table, id)));
    expect(found.filter((template) => template !== undefined)).toHaveLength(1);
  });
});

describe('an unknown template', () => {
  it('is none', async () => {
    expect(await getTemplate(table, newTemplateId(newOrganizationId()))).toBeUndefined();
  });
});

describe('a changed template', () => {
  it('is read as it is now', async () => {
    const before = await store();
    const after = changed(before, { subject: 'New', htmlContent: '<p>New</p>' });

    expect(await replaceTemplate(table, before, after)).toBe('stored');
    expect(await getTemplate(table, before.id)).toEqual(after);
  });

  it('gains and loses a body', async () => {
    const before = await store();
    const after = without(changed(before, {}), 'content');

    await replaceTemplate(table, before, after);

    expect(await getTemplate(table, before.id)).toStrictEqual(after);
  });

  it('is refused when it is not the version that was seen', async () => {
    const before = await store();
    const first = changed(before, { subject: 'First' });
    await replaceTemplate(table, before, first);

    const outcome = await replaceTemplate(table, before, changed(before, { subject: 'Second' }));

    expect(outcome).toBe('changed_meanwhile');
    expect(await getTemplate(table, before.id)).toEqual(first);
  });

  it('wins alone when many change it at once', async () => {
    const before = await store();
    const changes = Array.from({ length: 8 }, (_, index) =>
      changed(before, { subject: `Change ${index}` }),
    );

    const outcomes = await Promise.all(
      changes.map((after) => replaceTemplate(table, before, after)),
    );

    expect(outcomes.toSorted()).toEqual([...Array(7).fill('changed_meanwhile'), 'stored']);
    expect(await getTemplate(table, before.id)).toEqual(changes[outcomes.indexOf('stored')]);
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
        await replaceTemplate(table, current, after);
        current = after;
        // Who reads tries a few times only: a writer that never pauses could outrun it on a busy machine.
        await vi.waitUntil(() => reads > readsBefore, { ...patience, interval: 1 });
      }
      isWriting = false;
    };
    const mixed: string[] = [];
    const read = async () => {
      while (isWriting) {
        const template = await getTemplate(table, id);
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
    await deleteTemplate(table, before);

    const outcome = await replaceTemplate(table, before, changed(before, { name: 'Other' }));

    expect(outcome).toBe('changed_meanwhile');
    expect(await getTemplate(table, before.id)).toBeUndefined();
    expect(await putNewTemplate(table, siblingOf(before, { name: 'Other' }))).toBe('stored');
  });
});

describe('a renamed template', () => {
  it('frees its old name and holds the new one', async () => {
    const before = await store();

    const outcome = await replaceTemplate(table, before, changed(before, { name: 'Invoice' }));

    expect(outcome).toBe('stored');
    expect(await putNewTemplate(table, siblingOf(before, { name: 'Invoice' }))).toBe('name_taken');
    expect(await putNewTemplate(table, siblingOf(before, { name: before.name }))).toBe('stored');
  });

  it('does not take the name of another, and keeps its own', async () => {
    const other = await store({ name: 'Invoice' });
    const before = siblingOf(other, { name: 'Receipt' });
    await putNewTemplate(table, before);

    const outcome = await replaceTemplate(table, before, changed(before, { name: 'Invoice' }));

    expect(outcome).toBe('name_taken');
    expect(await getTemplate(table, before.id)).toEqual(before);
    expect(await putNewTemplate(table, siblingOf(other, { name: 'Receipt' }))).toBe('name_taken');
  });

  it('is one of two that swap their names at once, or none', async () => {
    const one = await store({ name: 'One' });
    const two = siblingOf(one, { name: 'Two' });
    await putNewTemplate(table, two);

    const outcomes = await Promise.all([
      replaceTemplate(table, one, changed(one, { name: 'Two' })),
      replaceTemplate(table, two, changed(two, { name: 'One' })),
    ]);

    expect(outcomes).toEqual(['name_taken', 'name_taken']);
  });
});

describe('a deleted template', () => {
  it('is gone with its bodies, and its name is free', async () => {
    const template = await store();

    expect(await deleteTemplate(table, template)).toBe('stored');
    expect(await getTemplate(table, template.id)).toBeUndefined();
    expect(await putNewTemplate(table, siblingOf(template))).toBe('stored');
  });

  it('stays when it is not the version that was seen', async () => {
    const before = await store();
    const after = changed(before, { subject: 'New' });
    await replaceTemplate(table, before, after);

    expect(await deleteTemplate(table, before)).toBe('changed_meanwhile');
    expect(await getTemplate(table, before.id)).toEqual(after);
  });
});
