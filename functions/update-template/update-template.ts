import type { RequestTo } from '#shared/endpoints/endpoint';
import { changeTemplate } from '#shared/templates/change-template';
import { mergeTemplate } from '#shared/templates/merge-template';
import type { Template } from '#shared/templates/template';
import { templateEntryOf } from '#shared/templates/template-audit';
import type { Templates } from '#shared/templates/templates';
import type { endpoint } from './endpoint.ts';

/** Changes the given fields of a template. */
export async function updateTemplate(
  { caller, path: { id }, headers, body }: RequestTo<typeof endpoint>,
  { templates, now: readClock }: Templates,
): Promise<Template> {
  const change = async (before: Template) => {
    const now = readClock();
    const merged = mergeTemplate(before, body);
    const after = { ...merged, version: before.version + 1, updatedAt: now };
    const entry = templateEntryOf(caller, { before, after }, now);
    return { outcome: await templates.replace(before, after, entry), after };
  };
  const target = { id, organizationId: caller.organizationId, ifMatch: headers['if-match'] };
  return changeTemplate(target, change, templates);
}
