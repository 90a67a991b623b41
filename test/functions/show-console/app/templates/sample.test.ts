import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderParts } from '#shared/templates/rendering/render-parts';
import {
  sampleOf,
  withMissing,
} from '../../../../../functions/show-console/app/templates/sample.ts';
import { anyTemplate } from '../../../../support/template-arbitrary.ts';

const missingOf = (template: string, variables: Record<string, unknown>) => {
  const parts = { subject: '', htmlContent: undefined, content: template };
  const outcome = renderParts(parts, JSON.parse(JSON.stringify(variables)));
  return outcome.kind === 'rendered' ? outcome.rendered.missingVariables : outcome.kind;
};

/** What a template has a name for. */
type Thing = 'value' | 'flag' | 'values' | { readonly owner: number } | { readonly list: Thing[] };

const anyThings = fc.letrec<{ thing: Thing; things: Thing[] }>((tie) => ({
  things: fc.array(tie('thing'), { maxLength: 4 }),
  thing: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('value', 'flag', 'values'),
    fc.record({ owner: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ list: tie('things') }),
  ),
})).things;

/** A template that prints all of it, and gives each a name of its own. */
function templateOf(things: readonly Thing[]): string {
  let names = 0;
  const write = (thing: Thing): string => {
    names += 1;
    const name = `n${names}`;
    if (thing === 'value') return `{{${name}}} {{{${name}}}}`;
    if (thing === 'flag') return `{{#${name}}}yes{{/${name}}}{{^${name}}}no{{/${name}}}`;
    if (thing === 'values') return `{{#${name}}}{{.}}{{/${name}}}`;
    if ('owner' in thing) {
      return Array.from({ length: thing.owner }, (_, place) => `{{${name}.m.p${place}}}`).join();
    }
    return `{{#${name}}}${thing.list.map(write).join()}{{/${name}}}{{^${name}}}none{{/${name}}}`;
  };
  return things.map(write).join();
}

describe('sampleOf', () => {
  it.each([
    ['Hello {{name}}, {{{raw}}} {{& more}}', { name: 'name', raw: 'raw', more: 'more' }],
    ['{{order.id}} {{order.owner.name}}', { order: { id: 'id', owner: { name: 'name' } } }],
    ['{{#items}}{{title}}{{/items}}', { items: [{ title: 'title' }] }],
    ['{{#tags}}{{.}}{{/tags}}', { tags: ['tags'] }],
    ['{{#isNew}}Welcome{{/isNew}}{{^isNew}}Hello again{{/isNew}}', { isNew: true }],
    ['{{#name}}Hello {{name}}{{/name}}', { name: 'name' }],
    ['{{#order}}{{id}}{{/order}} {{order.total}}', { order: { id: 'id', total: 'total' } }],
    ['{{^items}}None for {{name}}{{/items}}', { name: 'name' }],
    ['{{! a comment }} no variable', {}],
    ['{{#open}}{{a}} {{', { open: [{ a: 'a' }] }],
  ])('of %j', (template, sample) => {
    expect(sampleOf([template])).toEqual(sample);
  });

  it('combines all parts of a template', () => {
    expect(sampleOf(['{{a}}', '{{b.c}}', '{{b.d}}'])).toEqual({ a: 'a', b: { c: 'c', d: 'd' } });
  });

  it('is complete for a template that uses each name for one thing', () => {
    fc.assert(
      fc.property(anyThings, (things) => {
        const template = templateOf(things);

        expect(missingOf(template, sampleOf([template]))).toEqual([]);
      }),
    );
  });

  it('reads what it can from a template with syntax errors', () => {
    fc.assert(fc.property(anyTemplate, (template) => void sampleOf([template])));
  });
});

describe('withMissing', () => {
  it('adds what’s missing, in lists too, and keeps what’s there', () => {
    const values = { name: 'Ann', order: { id: 7 }, items: [{ title: 'Tea' }, {}], more: 0 };
    const sample = {
      name: 'name',
      order: { id: 'id', total: 'total' },
      items: [{ title: 'title', price: 'price' }],
      city: 'city',
    };

    expect(withMissing(values, sample)).toEqual({
      name: 'Ann',
      order: { id: 7, total: 'total' },
      items: [
        { title: 'Tea', price: 'price' },
        { title: 'title', price: 'price' },
      ],
      more: 0,
      city: 'city',
    });
  });

  it.each([
    [{ a: null }, { a: { b: 'b' } }],
    [{ a: 'text' }, { a: [{ b: 'b' }] }],
    [{ a: [] }, { a: [{ b: 'b' }] }],
  ])('leaves %j alone', (values, sample) => {
    expect(withMissing(values, sample)).toEqual(values);
  });
});
