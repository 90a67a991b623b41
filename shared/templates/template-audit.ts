import type { Manager } from '#shared/access/authenticate';
import { type AuditEntry, differenceOf, newAuditEntry } from '#shared/audit/audit-entry';
import type { Template } from './template.ts';

/**
 * The audit entry of a change to a template. Of subject and bodies it says only that they changed: they are
 * long, and may hold anything.
 *
 * @param before absent for a new template.
 * @param after absent for a deleted one.
 */
export function templateEntryOf(
  { organizationId, actor }: Manager,
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
  return newAuditEntry(organizationId, actor, change, now);
}

const audited = (template: Template | undefined) => ({
  name: template?.name,
  version: template?.version,
});

const changedParts = (before: Template, after: Template): string[] =>
  (['subject', 'htmlContent', 'content'] as const).filter((part) => before[part] !== after[part]);
