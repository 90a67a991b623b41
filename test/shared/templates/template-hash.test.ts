import { describe, expect, it } from 'vitest';
import type { TemplateContent } from '#shared/templates/template';
import { contentHashOf } from '#shared/templates/template-hash';
import { buildTemplate } from '../../support/template-builder.ts';

const template = buildTemplate();

describe("a template's hash", () => {
  it.each<Partial<TemplateContent>>([
    { subject: 'Other' },
    { htmlContent: 'Other' },
    { htmlContent: undefined },
    { content: template.htmlContent },
    { from: 'a@b.example' },
    { replyTo: ['a@b.example'] },
    { replyTo: [] },
    { layout: template.id },
    { variables: { a: { type: 'string' } } },
    { locales: { de: { subject: 'x' } } },
  ])('changes with %j', (change) => {
    expect(contentHashOf({ ...template, ...change })).not.toBe(contentHashOf(template));
  });

  it('depends only on the content, in any order', () => {
    const words = (subject: string) => ({ subject, content: subject });
    const one = { ...template, locales: { de: words('de'), fr: words('fr') }, variables: {} };
    const other = buildTemplate({
      name: 'Other',
      version: 7,
      locales: { fr: words('fr'), de: words('de') },
    });

    expect(contentHashOf(one)).toBe(contentHashOf(other));
  });
});
