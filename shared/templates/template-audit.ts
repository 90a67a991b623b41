import type { Caller } from '#shared/access/authenticate';
import { actorOf } from '#shared/access/sign-in';
import { type AuditEntry, differenceOf, newAuditEntry } from '#shared/audit/audit-entry';
import { organizationIdOf } from '#shared/tokens/resource-id';
import type { Template } from './template.ts';

/**
 * The entry of a template's change by this caller. Of subject and bodies it tells only that they changed: they
 * are long, and may hold anything.
 *
 * @param before what there was, if it is no new template.
 * @param after what there is, if the template is not deleted.
 */
export function templateEntryOf(
  { apiKey: { id }, session }: Pick<Caller, 'apiKey' | 'session'>,
  { before, after }: { readonly before?: Template; readonly after?: Template },
  now: number,
): AuditEntry {
  const target = (after ?? before)?.id;
  if (target === undefined) throw new Error('The change is about no template');
  const difference = differenceOf(audited(before), audited(after));
  const values =
    before === undefined || after === undefined
      ? difference
      : { ...difference, after: { ...difference.after, changed: changedParts(before, after) } };
  const action = before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated';
  const change = { action: `template.${action}`, target, ...values };
  return newAuditEntry(organizationIdOf(id), actorOf(id, session), change, now);
}

const audited = (template: Template | undefined) => ({
  name: template?.name,
  version: template?.version,
});

const changedParts = (before: Template, after: Template): string[] =>
  (['subject', 'htmlContent', 'content'] as const).filter((part) => before[part] !== after[part]);
