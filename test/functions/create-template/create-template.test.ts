import { describe, expect, it } from 'vitest';
import type { Template } from '#shared/templates/template';
import type { WriteOutcome } from '#shared/templates/template-store';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { createTemplate } from '../../../functions/create-template/create-template.ts';
import { endpoint } from '../../../functions/create-template/endpoint.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTemplateWorld, templatesNow } from '../../support/template-world-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

const body = { name: 'Receipt', subject: 'Your receipt', content: 'Thank you.' };

function prepare(outcome: WriteOutcome) {
  const stored: Template[] = [];
  const world = buildTemplateWorld({
    create: async (template) => {
      stored.push(template);
      return outcome;
    },
  });
  const run = () =>
    createTemplate(world.credential, () => endpoint.body.parse(body), world.templates);
  return { ...world, run, stored };
}

describe('createTemplate', () => {
  it('stores version 1 of a template of the organization', async () => {
    const { run, stored, organizationId } = prepare('stored');

    const template = await run();

    expect(stored).toEqual([template]);
    expect(organizationIdOf(template.id)).toBe(organizationId);
    expect(template).toEqual({
      ...body,
      id: template.id,
      version: 1,
      createdAt: templatesNow,
      updatedAt: templatesNow,
    });
  });

  it('refuses a name that another template has', async () => {
    expect((await serviceErrorOf(prepare('name_taken').run)).code).toBe('template_name_taken');
  });

  it('refuses one template more than may be', async () => {
    const world = buildTemplateWorld({ count: async () => 1_000 });

    const error = await serviceErrorOf(() =>
      createTemplate(world.credential, () => endpoint.body.parse(body), world.templates),
    );

    expect(error.code).toBe('too_many_templates');
  });

  it('reads no request of a key that may not manage templates', async () => {
    const { credential, templates } = buildTemplateWorld({}, ['send_email']);

    const error = await serviceErrorOf(() =>
      createTemplate(credential, unexpected('the request'), templates),
    );

    expect(error.code).toBe('missing_scope');
  });
});
