import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { templateKey } from '#shared/table/keys';
import { mergeTemplate, type TemplateChanges } from '#shared/templates/edit-template';
import { findVersion } from '#shared/templates/find-template';
import { readSentTemplate, type TemplateAsk } from '#shared/templates/sent-template-store';
import type { Template } from '#shared/templates/template';
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  replaceTemplate,
} from '#shared/templates/template-store';
import { maxVersionsKept, nextVersion, published } from '#shared/templates/template-versions';
import { newTemplateId, organizationIdOf } from '#shared/tokens/resource-id';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { loseFirstAnswer, openDisturbedTable } from '../../support/disturbed-table.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { buildTemplate } from '../../support/template-builder.ts';

const table = openStoreTable();
const now = 1_800_000_000_000;
const create = (template: Template) => createTemplate(table, template, anyEntry());
const tryReplace = (before: Template, after: Template) =>
  replaceTemplate(table, before, after, anyEntry());
const remove = (template: Template) => deleteTemplate(table, template, anyEntry());

async function store(overrides: Partial<Template> = {}): Promise<Template> {
  const template = buildTemplate(overrides);
  expect(await create(template)).toBe('stored');
  return template;
}

const siblingOf = ({ id }: Template, overrides: Partial<Template> = {}): Template =>
  buildTemplate({ id: newTemplateId(organizationIdOf(id)), name: 'Other', ...overrides });

const draftOf = (before: Template, changes: TemplateChanges): Template =>
  nextVersion(before, mergeTemplate(before, changes), { isDraft: true, now });
const publishedChange = (before: Template, changes: TemplateChanges): Template =>
  nextVersion(before, mergeTemplate(before, changes), { isDraft: false, now });

async function replace(before: Template, after: Template, process = table): Promise<Template> {
  expect(await replaceTemplate(process, before, after, anyEntry())).toBe('stored');
  return after;
}

/** What a send of a process reads. */
const sent = ({ id }: Template, ask: Partial<TemplateAsk> = {}, process = table) =>
  readSentTemplate(process, organizationIdOf(id), { name: id, ...ask });
const subjectSent = async (...args: Parameters<typeof sent>): Promise<string> => {
  const reading = await sent(...args);
  return reading.kind === 'found' ? reading.template.parts.subject : reading.kind;
};

async function keysIn({ id }: Template): Promise<unknown[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': templateKey(id).pk },
      ConsistentRead: true,
    }),
  );
  return Items.map(({ sk }) => sk);
}

describe('a draft', () => {
  it('changes what managers read, but not what sends use', async () => {
    const before = await store({ subject: 'Published' });
    const draft = await replace(before, draftOf(before, { subject: 'Draft', content: null }));

    expect(await getTemplate(table, before.id)).toEqual(draft);
    expect(draft).toMatchObject({ version: 2, isDraft: true, published: { version: 1 } });
    expect(await sent(before)).toMatchObject({
      template: { version: 1, parts: { subject: 'Published', content: before.content } },
    });
  });

  it('is used once published, and the replaced version can still be named', async () => {
    const before = await store({ subject: 'One' });
    const draft = await replace(before, draftOf(before, { subject: 'Two' }));
    const after = await replace(draft, published(draft, now));

    expect(await getTemplate(table, before.id)).toEqual(after);
    expect(after).toMatchObject({ version: 2, publishedAt: now, versions: [{ version: 1 }] });
    expect(await subjectSent(before)).toBe('Two');
    expect(await subjectSent(before, { version: 2 })).toBe('Two');
    expect(await subjectSent(before, { version: 1 })).toBe('One');
    expect(await subjectSent(before, { version: 3 })).toBe('unknown_version');
    expect(await keysIn(before)).not.toContain('DRAFT');
  });

  it("that was never published isn't sent", async () => {
    const { publishedAt: _, ...bare } = buildTemplate();
    const draft = await store({ ...bare, publishedAt: undefined, isDraft: true });

    expect(await subjectSent(draft)).toBe('unpublished');
    expect(await subjectSent(draft, { version: 1 })).toBe('unknown_version');
    const after = await replace(draft, published(draft, now));
    expect(after.versions).toBeUndefined();
    expect(await subjectSent(draft)).toBe(draft.subject);
  });

  it("isn't published twice, or over an unseen change", async () => {
    const before = await store();
    const draft = await replace(before, draftOf(before, { subject: 'Draft' }));
    const newer = draftOf(draft, { subject: 'Newer' });

    const outcomes = await Promise.all([
      tryReplace(draft, published(draft, now)),
      tryReplace(draft, published(draft, now)),
      tryReplace(draft, newer),
    ]);

    expect(outcomes.toSorted()).toEqual(['changed_meanwhile', 'changed_meanwhile', 'stored']);
  });
});

describe("a template's versions", () => {
  it('are the last 20, and nothing remains of older ones', async () => {
    let template = await store({ subject: '1', locales: { de: { subject: '1', content: '1' } } });
    for (let version = 2; version <= maxVersionsKept + 3; version += 1) {
      const subject = `${version}`;
      template = await replace(template, publishedChange(template, { subject }));
    }

    const kept = template.versions?.map(({ version }) => version);
    expect(kept).toEqual(Array.from({ length: 20 }, (_, index) => 22 - index));
    expect(await subjectSent(template, { version: 2 })).toBe('unknown_version');
    expect(await subjectSent(template, { version: 3, locale: 'de' })).toBe('1');
    // Head, two bodies and a language for each.
    expect(await keysIn(template)).toHaveLength(4 * 21);
    expect((await findVersion(table, template, 3)).subject).toBe('3');
  });

  it('are deleted with the template', async () => {
    const layout = siblingOf(await store(), {
      kind: 'layout',
      content: '{{{content}}}',
      htmlContent: undefined,
    });
    await create(layout);
    const first = siblingOf(layout, { name: 'Third', alias: 'third', layout: layout.id });
    await create(first);
    const second = await replace(
      first,
      publishedChange(first, { locales: { de: { subject: 'x', content: 'x' } } }),
    );
    const draft = await replace(second, draftOf(second, { subject: 'Draft' }));

    expect(await remove(draft)).toBe('stored');

    expect(await keysIn(first)).toEqual([]);
    expect(await subjectSent(first, { name: 'third' })).toBe('unknown');
    expect(await getTemplate(table, layout.id)).toMatchObject({ layoutUses: 0 });
    expect(await create(siblingOf(layout, { name: 'Third', alias: 'third' }))).toBe('stored');
  });

  /** With as many earlier versions as are kept. */
  async function storeFull(): Promise<Template> {
    let template = await store({ subject: '1' });
    for (let version = 2; version <= maxVersionsKept + 1; version += 1) {
      template = await replace(template, publishedChange(template, { subject: `${version}` }));
    }
    return template;
  }

  const dyingBefore = (operation: string) =>
    openDisturbedTable(
      {
        before: async (call) => {
          if (call.operation === operation) throw new Error('died');
        },
      },
      openStoreTable,
    );

  it('all remain when the process dies before publishing', async () => {
    const template = await storeFull();
    const after = publishedChange(template, { subject: 'Never' });

    const dying = replaceTemplate(dyingBefore('TransactWriteItems'), template, after, anyEntry());
    await expect(dying).rejects.toThrow('died');

    expect(await getTemplate(table, template.id)).toEqual(template);
    expect(await subjectSent(template)).toBe('21');
    expect(await subjectSent(template, { version: 1 })).toBe('1');
    await replace(template, after);
    expect(await keysIn(template)).toHaveLength(3 * 21);
  });

  it('all remain when a change or a deletion is rejected', async () => {
    const template = await storeFull();
    const other = siblingOf(template, { alias: 'other' });
    await create(other);
    const unseen = { ...template, version: template.version - 1 };
    const layout = newTemplateId(organizationIdOf(template.id));
    const change = publishedChange(template, { subject: 'Never' });

    const outcomes = [
      await tryReplace(template, { ...change, alias: 'other' }),
      await tryReplace(template, { ...change, layout }),
      await tryReplace(unseen, change),
      await remove(unseen),
    ];

    expect(outcomes).toEqual([
      ...['alias_taken', 'unknown_layout', 'changed_meanwhile', 'changed_meanwhile'],
    ]);
    for (const { version } of template.versions ?? []) {
      expect(await subjectSent(template, { version })).toBe(`${version}`);
    }
  });

  it('are gone with the change that drops them, even if their bodies can’t be deleted', async () => {
    const template = await storeFull();

    await replace(
      template,
      publishedChange(template, { subject: 'New' }),
      dyingBefore('DeleteItem'),
    );

    expect(await subjectSent(template)).toBe('New');
    expect(await subjectSent(template, { version: 1 })).toBe('unknown_version');
  });

  it("increment once when a change's answer is lost", async () => {
    const before = await store();
    const lossy = openDisturbedTable(loseFirstAnswer('TransactWriteItems'), openStoreTable);

    const after = await replace(before, publishedChange(before, { subject: 'New' }), lossy);

    expect(await getTemplate(table, before.id)).toEqual(after);
  });

  it('may each be as large as a template can be, in all languages', async () => {
    const words = { subject: 's'.repeat(998), htmlContent: 'x'.repeat(40 * 1024) };
    const names = Array.from({ length: 19 }, (_, index) => `a${String.fromCharCode(97 + index)}`);
    const locales = Object.fromEntries(names.map((name) => [name, words]));
    const before = await store({ ...words, locales });
    const draft = await replace(
      before,
      draftOf(before, { subject: 'Draft', locales: { aa: null, zz: words } }),
    );

    const after = await replace(draft, published(draft, now));

    expect(await getTemplate(table, before.id)).toEqual(after);
    expect(await subjectSent(before, { version: 1, locale: 'as' })).toBe(words.subject);
  });
});

describe('an alias', () => {
  it('leads to its template, and belongs to one in an organization', async () => {
    const first = await store({ alias: 'reset' });

    expect(await subjectSent(first, { name: 'reset' })).toBe(first.subject);
    expect(await create(siblingOf(first, { alias: 'reset' }))).toBe('alias_taken');
    expect(await subjectSent(buildTemplate(), { name: 'reset' })).toBe('unknown');
  });

  it('leads to its current template, even in a process that knew the earlier one', async () => {
    const first = await store({ alias: 'reset', subject: 'First' });
    const second = siblingOf(first, { subject: 'Second' });
    await create(second);
    expect(await subjectSent(first, { name: 'reset' })).toBe('First');

    const freed = await replace(first, publishedChange(first, { alias: null }));
    expect(await subjectSent(first, { name: 'reset' })).toBe('unknown');
    await replace(second, publishedChange(second, { alias: 'reset' }));
    expect(await subjectSent(first, { name: 'reset' })).toBe('Second');

    expect(await tryReplace(freed, publishedChange(freed, { alias: 'reset' }))).toBe('alias_taken');
  });

  it('costs one read in a process that knows it, like an id', async () => {
    const template = await store({ alias: 'reset' });
    const calls: string[] = [];
    const before = async ({ operation }: { readonly operation: string }) => {
      calls.push(operation);
    };
    const process = openDisturbedTable({ before }, openStoreTable);

    await sent(template, { name: 'reset' }, process);
    await sent(template, { name: 'reset' }, process);

    expect(calls).toEqual(['GetItem', 'BatchGetItem', 'BatchGetItem']);
  });
});

describe('a layout', () => {
  const layoutFields = {
    kind: 'layout',
    content: '{{{content}}}',
    htmlContent: undefined,
  } as const;

  it('comes in its current version with the templates that use it', async () => {
    const layout = await store({ ...layoutFields, content: 'A {{{content}}}' });
    const template = siblingOf(layout, { layout: layout.id });
    await create(template);
    expect(await sent(template)).toMatchObject({
      template: { parts: { layoutParts: { content: 'A {{{content}}}' } } },
    });

    const counted = await getTemplate(table, layout.id);
    if (counted === undefined) throw new Error('the layout is gone');
    await replace(counted, publishedChange(counted, { content: 'B {{{content}}}' }));

    expect(await sent(template)).toMatchObject({
      template: { parts: { layoutParts: { content: 'B {{{content}}}' } } },
    });
    expect(await subjectSent(layout)).toBe('layout');
  });

  it.each([
    ['is no layout', {}],
    ['was never published', { ...layoutFields, isDraft: true as const, publishedAt: undefined }],
  ])("can't be what %s", async (_what, fields) => {
    const other = await store(fields);

    const outcome = await create(siblingOf(other, { layout: other.id }));

    expect(outcome).toBe('unknown_layout');
  });

  it("isn't deleted while a template adopts it concurrently", async () => {
    const layout = await store(layoutFields);
    const template = siblingOf(layout, { layout: layout.id });

    const [deletion, creation] = await Promise.all([remove(layout), create(template)]);

    expect([
      ['stored', 'unknown_layout'],
      ['changed_meanwhile', 'stored'],
    ]).toContainEqual([deletion, creation]);
  });

  it('counts the templates whose draft or published version uses it', async () => {
    const layout = await store(layoutFields);
    const uses = async () => (await getTemplate(table, layout.id))?.layoutUses ?? 0;
    const first = siblingOf(layout, { layout: layout.id });
    await create(first);
    const draft = await replace(first, draftOf(first, { layout: null }));
    expect(await uses()).toBe(1);

    await replace(draft, published(draft, now));
    expect(await uses()).toBe(0);
    expect(await subjectSent(first, { version: 1 })).toBe(first.subject);
    const counted = await getTemplate(table, layout.id);
    expect(counted && (await remove(counted))).toBe('stored');
    expect(await subjectSent(first, { version: 1 })).toBe('without_layout');
  });
});

describe('a requested language', () => {
  it.each([
    [undefined, 'own'],
    ['de', 'de'],
    ['de-AT', 'de-AT'],
    ['de-CH', 'de'],
    ['fr', 'own'],
  ])('%s is answered in %s', async (locale, expected) => {
    const words = (subject: string) => ({ subject, content: subject });
    const template = await store({
      subject: 'own',
      locales: { de: words('de'), 'de-AT': words('de-AT') },
    });

    expect(await subjectSent(template, { locale })).toBe(expected);
  });
});

describe('a template while it is being changed', () => {
  it('is read completely by managers and sends, never half old and half new', async () => {
    let template = await store({ subject: '0', htmlContent: '0', content: '0' });
    let isWriting = true;
    const partsSent = async (version?: number) => {
      const reading = await sent(template, { version });
      return reading.kind === 'found' ? reading.template.parts : undefined;
    };
    const readers = [
      () => getTemplate(table, template.id),
      () => partsSent(),
      () => partsSent(Math.max(1, template.version - 1)),
    ];
    const readings = readers.map(() => Promise.withResolvers<void>());
    const write = async () => {
      for (let round = 1; round <= 40; round += 1) {
        const text = `${round}`;
        const changes = { subject: text, htmlContent: text, content: text };
        template = await replace(template, publishedChange(template, changes));
        // A reading is tried five times, so four writes in a row can't make it give up.
        if (round % 4 === 0) await Promise.all(readings.map(({ promise }) => promise));
      }
      isWriting = false;
    };
    const mixed: unknown[] = [];
    const read = async (readParts: (typeof readers)[number], reader: number) => {
      while (isWriting) {
        const parts = await readParts();
        const texts = new Set([parts?.subject, parts?.htmlContent, parts?.content]);
        if (texts.size > 1 || texts.has(undefined)) mixed.push([reader, parts]);
        readings[reader]?.resolve();
        readings[reader] = Promise.withResolvers();
      }
    };

    await Promise.all([write(), ...readers.map(read)]);

    expect(mixed).toEqual([]);
  });
});
