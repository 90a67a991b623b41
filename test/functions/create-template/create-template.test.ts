import { describe, expect, it } from 'vitest';
import type { Template } from '#shared/templates/template';
import type { WriteOutcome } from '#shared/templates/template-store';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { createTemplate } from '../../../functions/create-template/create-template.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTemplateWorld, templatesNow } from '../../support/template-world-builder.ts';

const words = { name: 'Receipt', subject: 'Your receipt', content: 'Thank you.' };
const body = { ...words, draft: false };

function prepare(outcome: WriteOutcome, existing = 0) {
  const stored: Template[] = [];
  const { caller, templates } = buildTemplateWorld({
    count: async () => existing,
    create: async (template) => {
      stored.push(template);
      return outcome;
    },
  });
  const run = () => createTemplate({ caller, body }, templates);
  return { run, stored, caller };
}

describe('createTemplate', () => {
  it('stores version 1 of a template of the organization', async () => {
    const { run, stored, caller } = prepare('stored');

    const template = await run();

    expect(stored).toEqual([template]);
    expect(organizationIdOf(template.id)).toBe(caller.organizationId);
    expect(template).toEqual({
      ...words,
      id: template.id,
      version: 1,
      createdAt: templatesNow,
      updatedAt: templatesNow,
      publishedAt: templatesNow,
    });
  });

  it("refuses another template's name", async () => {
    expect((await serviceErrorOf(prepare('name_taken').run)).code).toBe('template_name_taken');
  });

  it('refuses one template more than the limit', async () => {
    const { run, stored } = prepare('stored', 1_000);

    expect((await serviceErrorOf(run)).code).toBe('too_many_templates');
    expect(stored).toEqual([]);
  });
});
