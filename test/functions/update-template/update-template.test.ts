import { describe, expect, it } from 'vitest';
import type { Template } from '#shared/templates/template';
import { updateTemplate } from '../../../functions/update-template/update-template.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTemplateWorld, templatesNow } from '../../support/template-world-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

describe('updateTemplate', () => {
  it('stores the next version: the given fields are changed, the others stay', async () => {
    const stored: (readonly [Template, Template])[] = [];
    const { credential, template, templates } = buildTemplateWorld({
      replace: async (before, after) => {
        stored.push([before, after]);
        return 'stored';
      },
    });

    const command = { credential, id: template.id, ifMatch: undefined };
    const after = await updateTemplate(command, () => ({ subject: 'New' }), templates);

    expect(after).toEqual({ ...template, subject: 'New', version: 2, updatedAt: templatesNow });
    expect(stored).toEqual([[template, after]]);
  });

  it('changes nothing when the caller has seen another version', async () => {
    const { credential, template, templates } = buildTemplateWorld();

    const command = { credential, id: template.id, ifMatch: '"7"' };
    const error = await serviceErrorOf(() => updateTemplate(command, () => ({}), templates));

    expect(error.code).toBe('version_mismatch');
  });

  it('reads no request of a key that may not manage templates', async () => {
    const { credential, template, templates } = buildTemplateWorld({}, ['send_email']);

    const command = { credential, id: template.id, ifMatch: undefined };
    const error = await serviceErrorOf(() =>
      updateTemplate(command, unexpected('the request'), templates),
    );

    expect(error.code).toBe('missing_scope');
  });
});
