import { describe, expect, it } from 'vitest';
import { checkTemplate } from '#shared/templates/check-template';
import { mergeTemplate } from '#shared/templates/edit-template';
import { buildTemplate } from '../../support/template-builder.ts';

describe('mergeTemplate', () => {
  it('changes what is given and keeps the rest', () => {
    const template = buildTemplate();

    const merged = mergeTemplate(template, { subject: 'New', content: 'Other' });

    expect(merged).toEqual({ ...template, subject: 'New', content: 'Other' });
  });

  it.each(['htmlContent', 'content'] as const)('removes %s when it is null', (body) => {
    const { [body]: _, ...others } = buildTemplate();

    const merged = mergeTemplate(buildTemplate({ id: others.id }), { [body]: null });

    expect(merged).toEqual(others);
    expect(merged).not.toHaveProperty(body);
  });

  it('replaces one body with the other', () => {
    const { content: _, ...template } = buildTemplate();

    const merged = mergeTemplate(template, { htmlContent: null, content: 'Text' });

    expect(merged).toMatchObject({ content: 'Text' });
    expect(merged).not.toHaveProperty('htmlContent');
  });

  it.each([
    [{ htmlContent: '<p>', content: undefined }, { htmlContent: null }, 'htmlContent'],
    [{ htmlContent: undefined, content: 'Hi' }, { content: null }, 'content'],
    [{}, { htmlContent: null, content: null }, 'content'],
  ])('never leaves a template without a body: %j and %j', (bodies, changes, path) => {
    const template = buildTemplate(bodies);

    const after = mergeTemplate(template, changes);

    expect(() => checkTemplate(after, { changedText: 'content' in changes })).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        errors: [expect.objectContaining({ path })],
      }),
    );
  });

  it('changes only the named variables and languages', () => {
    const words = { subject: 'x', content: 'x' };
    const template = buildTemplate({
      variables: { a: { type: 'string' }, b: { type: 'string' } },
      locales: { de: words },
    });

    const merged = mergeTemplate(template, {
      variables: { a: null, c: { type: 'list' } },
      locales: { de: null },
    });

    expect(merged.variables).toEqual({ b: { type: 'string' }, c: { type: 'list' } });
    expect(merged).not.toHaveProperty('locales');
  });
});
