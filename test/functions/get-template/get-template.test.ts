import { describe, expect, it } from 'vitest';
import { getTemplate } from '../../../functions/get-template/get-template.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTemplate } from '../../support/template-builder.ts';
import { buildTemplateWorld } from '../../support/template-world-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

describe('getTemplate', () => {
  it('answers a template of the organization, for a key with any scopes', async () => {
    const { credential, template, templates } = buildTemplateWorld({}, []);

    expect(await getTemplate(credential, template.id, templates)).toEqual(template);
  });

  it.each([undefined, buildTemplate().id])('knows no template %j', async (id) => {
    const { credential, templates } = buildTemplateWorld({ get: unexpected('templates.get') });

    const error = await serviceErrorOf(() => getTemplate(credential, id, templates));

    expect(error.code).toBe('template_not_found');
  });

  it('reads nothing without a key', async () => {
    const { template, templates } = buildTemplateWorld({ get: unexpected('templates.get') });

    const error = await serviceErrorOf(() => getTemplate(undefined, template.id, templates));

    expect(error.code).toBe('invalid_api_key');
  });
});
