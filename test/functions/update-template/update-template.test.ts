import { describe, expect, it } from 'vitest';
import { updateTemplate } from '#shared/templates/edit-template';
import type { Template } from '#shared/templates/template';
import { serviceErrorOf } from '../../support/service-error.ts';
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
  it('stores the next version: the given fields are changed, the others stay', async () => {
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

  it('changes nothing when the caller has seen another version', async () => {
    const { run, stored } = prepare({ 'if-match': '"7"' });

    expect((await serviceErrorOf(run)).code).toBe('version_mismatch');
    expect(stored).toEqual([]);
  });
});
