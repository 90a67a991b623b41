import { describe, expect, it } from 'vitest';
import { templateEntryOf } from '#shared/templates/template-audit';
import { buildManager } from '../../support/manager-builder.ts';
import { buildTemplate } from '../../support/template-builder.ts';

const manager = buildManager();
const before = buildTemplate({ name: 'receipt', version: 1, subject: 'Old', htmlContent: '<p>' });

describe('templateEntryOf', () => {
  it('names a new template and its version', () => {
    expect(templateEntryOf(manager, { after: before }, 7)).toMatchObject({
      ...{ at: 7, actor: manager.actor, action: 'template.created', target: before.id },
      after: { name: 'receipt', version: 1 },
    });
  });

  it('names the changed parts of a template, without their content', () => {
    const after = { ...before, version: 2, subject: 'For ann@example.com' };

    const entry = templateEntryOf(manager, { before, after }, 7);

    expect(entry).toMatchObject({
      action: 'template.updated',
      before: { version: 1 },
      after: { version: 2, changed: ['subject'] },
    });
    expect(JSON.stringify(entry)).not.toContain('ann@example.com');
  });

  it.each(['subject', 'htmlContent', 'content'] as const)('names a changed %s', (part) => {
    const after = { ...before, version: 2, [part]: 'another' };

    expect(templateEntryOf(manager, { before, after }, 7)).toMatchObject({
      after: { changed: [part] },
    });
  });

  it('says which version was published', () => {
    const draft = {
      ...before,
      version: 2,
      isDraft: true as const,
      published: { ...before, publishedAt: 1 },
    };
    const { isDraft: _, published: _p, ...after } = draft;

    expect(templateEntryOf(manager, { before: draft, after }, 7)).toMatchObject({
      action: 'template.published',
      before: { publishedVersion: 1 },
      after: { publishedVersion: 2 },
    });
  });

  it('describes a deleted template', () => {
    expect(templateEntryOf(manager, { before }, 7)).toMatchObject({
      action: 'template.deleted',
      before: { name: 'receipt', version: 1 },
    });
  });
});
