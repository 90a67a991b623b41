import { describe, expect, it } from 'vitest';
import type { Scope } from '#shared/access/scopes';
import type { Template } from '#shared/templates/template';
import { deleteTemplate } from '../../../functions/delete-template/delete-template.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTemplateWorld } from '../../support/template-world-builder.ts';

function prepare(ifMatch?: string, scopes?: readonly Scope[]) {
  const deleted: Template[] = [];
  const { credential, template, templates } = buildTemplateWorld(
    {
      delete: async (one) => {
        deleted.push(one);
        return 'stored';
      },
    },
    scopes,
  );
  const run = () => deleteTemplate({ credential, id: template.id, ifMatch }, templates);
  return { run, deleted, template };
}

describe('deleteTemplate', () => {
  it.each([undefined, '"1"', '*'])('deletes the template, with If-Match %s', async (ifMatch) => {
    const { run, deleted, template } = prepare(ifMatch);

    await run();

    expect(deleted).toEqual([template]);
  });

  it.each([
    ['version_mismatch', '"7"', undefined],
    ['missing_scope', undefined, ['send_email'] as const],
  ])('deletes nothing: %s', async (code, ifMatch, scopes) => {
    const { run, deleted } = prepare(ifMatch, scopes);

    expect((await serviceErrorOf(run)).code).toBe(code);
    expect(deleted).toEqual([]);
  });
});
