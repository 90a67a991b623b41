import { isDeepStrictEqual } from 'node:util';
import type { Manager } from '#shared/access/admit-caller';
import { type AuditEntry, differenceOf, newAuditEntry } from '#shared/audit/audit-entry';
import { publishedOf, type Template } from './template.ts';

/**
 * Lists only which parts of the content changed: they are long, and may hold anything.
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
  const action = actionOf(before, after);
  const change = { action: `template.${action}`, target, ...values };
  return newAuditEntry(organizationId, actor, change, now);
}

function actionOf(before: Template | undefined, after: Template | undefined): string {
  if (before === undefined) return 'created';
  if (after === undefined) return 'deleted';
  return before.version === after.version ? 'published' : 'updated';
}

const audited = (template: Template | undefined) => ({
  name: template?.name,
  alias: template?.alias,
  version: template?.version,
  publishedVersion: template && publishedOf(template)?.version,
});

const changedParts = (before: Template, after: Template): string[] =>
  contentParts.filter((part) => !isDeepStrictEqual(before[part], after[part]));

const contentParts = [
  ...(['subject', 'htmlContent', 'content', 'from', 'replyTo'] as const),
  ...(['variables', 'layout', 'locales'] as const),
];
