import { describe, expect, it } from 'vitest';
import type { StoredItem } from '#shared/table/table-client';
import { readingOf, templateItemsOf } from '#shared/templates/template-items';
import { buildTemplate } from '../../support/template-builder.ts';

const old = buildTemplate();
const recent = { ...old, version: 2, subject: 'New', htmlContent: '<p>New</p>' };

const read = (items: readonly (StoredItem | undefined)[]) =>
  readingOf(old.id, ({ pk, sk }) => items.find((item) => item?.['pk'] === pk && item['sk'] === sk));

describe('templateItemsOf', () => {
  it('puts each body into its own item, under stable keys', () => {
    const keys = templateItemsOf(old).map(({ pk, sk }) => [pk, sk]);

    expect(keys).toEqual([
      [keys[0]?.[0], 'TEMPLATE'],
      [keys[0]?.[0], 'TEMPLATE#htmlContent'],
      [keys[0]?.[0], 'TEMPLATE#content'],
    ]);
  });
});

describe('readingOf', () => {
  it('puts a template together from its three items', () => {
    expect(read(templateItemsOf(old))).toEqual({ kind: 'whole', template: old });
  });

  it('finds no template without items', () => {
    expect(read([])).toEqual({ kind: 'whole', template: undefined });
  });

  it.each([0, 1, 2])('detects that item %i is from another version', (index) => {
    const items = templateItemsOf(old).with(index, templateItemsOf(recent)[index] ?? {});

    expect(read(items)).toEqual({ kind: 'torn' });
  });

  it.each([0, 1, 2])('detects that item %i is missing', (index) => {
    expect(read(templateItemsOf(old).toSpliced(index, 1))).toEqual({ kind: 'torn' });
  });
});
