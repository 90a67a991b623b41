import { describe, expect, it } from 'vitest';
import type { Template } from '#shared/templates/template';
import { contentHashOf } from '#shared/templates/template-hash';
import { templateItemsOf } from '#shared/templates/template-items';
import {
  createTemplate,
  deleteTemplate,
  readTemplatePage,
  replaceTemplate,
  type TemplatePosition,
} from '#shared/templates/template-store';
import { templateSummarySchema } from '#shared/templates/template-view';
import { newOrganizationId, newTemplateId, type OrganizationId } from '#shared/tokens/resource-id';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { openStoreTable, storeItems } from '../../support/store-table.ts';
import { buildTemplate } from '../../support/template-builder.ts';

const table = openStoreTable();
const create = (template: Template) => createTemplate(table, template, anyEntry());
const remove = (template: Template) => deleteTemplate(table, template, anyEntry());
const firstPage = { before: undefined, limit: 20 };

/** Stores templates, the oldest first. */
async function storeMany(organizationId: OrganizationId, names: readonly string[]) {
  const templates = names.map((name, index) =>
    buildTemplate({ id: newTemplateId(organizationId), name, createdAt: 1_000 + index }),
  );
  await storeItems(table, templates.flatMap(templateItemsOf));
  return templates;
}

const namesOf = (templates: readonly { readonly name: string }[]) =>
  templates.map(({ name }) => name);

async function walk(organizationId: OrganizationId, limit: number, betweenPages = async () => {}) {
  const pages: string[][] = [];
  let before: TemplatePosition | undefined;
  do {
    const page = await readTemplatePage(table, organizationId, { before, limit });
    pages.push(namesOf(page.templates));
    before = page.next;
    await betweenPages();
  } while (before !== undefined);
  return pages;
}

const summaryOf = (template: Template) => ({
  ...templateSummarySchema.parse({
    ...template,
    publishedVersion: 1,
    contentHash: contentHashOf(template),
  }),
  publishedAt: template.updatedAt,
});

describe('readTemplatePage', () => {
  it('returns the newest first, without bodies', async () => {
    const organizationId = newOrganizationId();
    const [a, b] = await storeMany(organizationId, ['A', 'B']);

    const page = await readTemplatePage(table, organizationId, firstPage);

    expect(page).toStrictEqual({
      templates: [b, a].map((template) => template && summaryOf(template)),
      next: undefined,
    });
  });

  it('returns nothing for an organization without templates', async () => {
    const page = await readTemplatePage(table, newOrganizationId(), firstPage);

    expect(page).toEqual({ templates: [], next: undefined });
  });

  it.each([
    [1, [['E'], ['D'], ['C'], ['B'], ['A']]],
    [2, [['E', 'D'], ['C', 'B'], ['A']]],
    [5, [['E', 'D', 'C', 'B', 'A']]],
  ])('pages by %i, with no empty page at the end', async (limit, pages) => {
    const organizationId = newOrganizationId();
    await storeMany(organizationId, ['A', 'B', 'C', 'D', 'E']);

    expect(await walk(organizationId, limit)).toEqual(pages);
  });

  it('shows 100 at once', async () => {
    const organizationId = newOrganizationId();
    const names = Array.from({ length: 101 }, (_, index) => `Template ${index}`);
    await storeMany(organizationId, names);

    const pages = await walk(organizationId, 100);

    expect(pages.map(({ length }) => length)).toEqual([100, 1]);
    expect(pages.flat()).toEqual(names.toReversed());
  });

  it('shows each template that stays once while others are created, changed and deleted', async () => {
    const organizationId = newOrganizationId();
    const stored = await storeMany(organizationId, ['A', 'B', 'C', 'D', 'E', 'F']);
    const [a, b, , , e] = stored;
    let count = 0;
    const disturb = async () => {
      count += 1;
      const name = `New ${count}`;
      const id = newTemplateId(organizationId);
      await create(buildTemplate({ id, name, createdAt: 5_000 + count }));
      // The one that the cursor points at, and one that is still to come.
      if (count === 1 && e !== undefined && b !== undefined) {
        await remove(e);
        await remove(b);
      }
      if (count === 2 && a !== undefined) {
        await replaceTemplate(table, a, { ...a, name: 'A2', version: 2 }, anyEntry());
      }
    };

    const pages = await walk(organizationId, 2, disturb);

    expect(pages).toEqual([['F', 'E'], ['D', 'C'], ['A2']]);
  });

  it('distinguishes templates created at the same time', async () => {
    const organizationId = newOrganizationId();
    for (const name of ['A', 'B', 'C']) {
      await create(buildTemplate({ id: newTemplateId(organizationId), name, createdAt: 7 }));
    }

    const pages = await walk(organizationId, 1);

    expect(pages.flat().toSorted()).toEqual(['A', 'B', 'C']);
  });

  it('shows no other organization’s', async () => {
    const organizationId = newOrganizationId();
    await storeMany(newOrganizationId(), ['Foreign']);
    await storeMany(organizationId, ['Own']);

    expect(await walk(organizationId, 20)).toEqual([['Own']]);
  });
});
