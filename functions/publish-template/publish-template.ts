import type { RequestTo } from '#shared/endpoints/endpoint';
import { changeTemplate } from '#shared/templates/change-template';
import type { Template } from '#shared/templates/template';
import { templateEntryOf } from '#shared/templates/template-audit';
import { published } from '#shared/templates/template-versions';
import type { Templates } from '#shared/templates/templates';
import type { endpoint } from './endpoint.ts';

/** Puts a template's draft into force. A repetition finds no draft, and changes nothing. */
export async function publishTemplate(
  { caller, path: { id }, headers }: RequestTo<typeof endpoint>,
  { templates, now: readClock }: Templates,
): Promise<Template> {
  const publish = async (before: Template) => {
    if (!before.isDraft) return { outcome: 'stored' as const, after: before };
    const now = readClock();
    const after = published(before, now);
    const entry = templateEntryOf(caller, { before, after }, now);
    return { outcome: await templates.replace(before, after, entry), after };
  };
  const target = { id, organizationId: caller.organizationId, ifMatch: headers['if-match'] };
  return changeTemplate(target, publish, templates);
}
