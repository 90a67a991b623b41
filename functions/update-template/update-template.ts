import type { RequestTo } from '#shared/endpoints/endpoint';
import { changeTemplate } from '#shared/templates/change-template';
import { checkTemplate } from '#shared/templates/check-template';
import { changeContent, mergeTemplate } from '#shared/templates/merge-template';
import { requireOwnLayout } from '#shared/templates/store-template';
import type { Template } from '#shared/templates/template';
import { templateEntryOf } from '#shared/templates/template-audit';
import { nextVersion } from '#shared/templates/template-versions';
import type { Templates } from '#shared/templates/templates';
import type { endpoint } from './endpoint.ts';

/**
 * Changes the given fields of a template. Sends take the change at once, unless it's to be a draft, and with it what an
 * earlier draft holds. A change of names leaves a draft a draft.
 */
export async function updateTemplate(
  { caller, path: { id }, headers, body: { draft, ...changes } }: RequestTo<typeof endpoint>,
  { templates, now: readClock }: Templates,
): Promise<Template> {
  const changesContent = changeContent(changes);
  const change = async (before: Template) => {
    const now = readClock();
    const merged = mergeTemplate(before, changes);
    checkTemplate(merged, changes.content === null);
    requireOwnLayout(merged, caller.organizationId);
    const isDraft = changesContent ? draft : before.isDraft === true;
    const after = nextVersion(before, merged, { isDraft, now });
    const entry = templateEntryOf(caller, { before, after }, now);
    return { outcome: await templates.replace(before, after, entry), after };
  };
  const target = { id, organizationId: caller.organizationId, ifMatch: headers['if-match'] };
  return changeTemplate(target, change, templates);
}
