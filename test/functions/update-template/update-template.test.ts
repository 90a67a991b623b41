import { describe, expect, it } from 'vitest';
import { mostLocales } from '#shared/templates/check-template';
import { updateTemplate } from '#shared/templates/edit-template';
import type { Template } from '#shared/templates/template';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTemplate } from '../../support/template-builder.ts';
import { buildTemplateWorld, templatesNow } from '../../support/template-world-builder.ts';

function prepare(headers: { readonly 'if-match'?: string } = {}) {
  const stored: (readonly [Template, Template])[] = [];
  const { caller, template, templates } = buildTemplateWorld({
    replace: async (before, after) => {
      stored.push([before, after]);
      return 'stored';
    },
  });
  const run = () =>
    updateTemplate(
      { caller, path: { id: template.id }, headers, body: { subject: 'New', draft: false } },
      templates,
    );
  return { run, template, stored };
}

describe('updateTemplate', () => {
  it('stores the next version with the given fields changed and the others kept', async () => {
    const { run, template, stored } = prepare();

    const after = await run();

    expect(after).toEqual({
      ...template,
      subject: 'New',
      version: 2,
      updatedAt: templatesNow,
      publishedAt: templatesNow,
      versions: [{ version: 1, publishedAt: template.publishedAt }],
    });
    expect(stored).toEqual([[template, after]]);
  });

  it("changes nothing when the caller's version is outdated", async () => {
    const { run, stored } = prepare({ 'if-match': '"7"' });

    expect((await serviceErrorOf(run)).code).toBe('version_mismatch');
    expect(stored).toEqual([]);
  });

  it('changes a template that has more languages than are now allowed', async () => {
    const words = { subject: 'x', content: 'x' };
    const locales = Object.fromEntries(
      Array.from({ length: mostLocales + 1 }, (_, place) => [`x${place}`, words]),
    );
    const { caller, template, templates } = buildTemplateWorld({
      get: async (id) => buildTemplate({ id, locales }),
      replace: async () => 'stored',
    });
    const body = { subject: 'New', draft: false };
    const request = { caller, path: { id: template.id }, headers: {}, body };

    expect(await updateTemplate(request, templates)).toMatchObject({ subject: 'New', locales });
  });
});
