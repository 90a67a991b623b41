import { describe, expect, it } from 'vitest';
import { templateEntryOf } from '#shared/templates/template-audit';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildTemplate } from '../../support/template-builder.ts';

const { apiKey } = buildApiKey();
const before = buildTemplate({ name: 'receipt', version: 1, subject: 'Old', htmlContent: '<p>' });

describe('the entry of a template', () => {
  it('that is new has its name and version', () => {
    expect(templateEntryOf({ apiKey, session: undefined }, { after: before }, 7)).toMatchObject({
      ...{ at: 7, actor: apiKey.id, action: 'template.created', target: before.id },
      after: { name: 'receipt', version: 1 },
    });
  });

  it('that is changed names the parts that differ, and not what they say', () => {
    const after = { ...before, version: 2, subject: 'For ann@example.com' };

    const entry = templateEntryOf({ apiKey, session: undefined }, { before, after }, 7);

    expect(entry).toMatchObject({
      action: 'template.updated',
      before: { version: 1 },
      after: { version: 2, changed: ['subject'] },
    });
    expect(JSON.stringify(entry)).not.toContain('ann@example.com');
  });

  it.each(['subject', 'htmlContent', 'content'] as const)('names a change of its %s', (part) => {
    const after = { ...before, version: 2, [part]: 'another' };

    expect(templateEntryOf({ apiKey, session: undefined }, { before, after }, 7)).toMatchObject({
      after: { changed: [part] },
    });
  });

  it('that is deleted says what it was', () => {
    expect(templateEntryOf({ apiKey, session: undefined }, { before }, 7)).toMatchObject({
      action: 'template.deleted',
      before: { name: 'receipt', version: 1 },
    });
  });
});
