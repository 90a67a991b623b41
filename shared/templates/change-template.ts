import * as z from 'zod/mini';
import type { Manager } from '#shared/access/admit-caller';
import { templatePath } from '#shared/endpoints/resource-paths';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import type { Table } from '#shared/table/table-client';
import type { TemplateId } from '#shared/tokens/resource-id';
import { findTemplate } from './find-template.ts';
import type { Template } from './template.ts';
import type { WriteOutcome, WriteRefusal } from './template-store.ts';
import { etagOf } from './template-view.ts';

export const templateChange = {
  access: { key: 'required', scope: 'templates_manage' },
  ...templatePath,
  headers: z.object({ 'if-match': z.optional(z.string()) }),
  isBeta: true,
  isLimited: true,
} as const;

export const changesTemplate = {
  tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
} as const;

export type OfTemplate<Changer = Manager> = {
  readonly caller: Changer;
  readonly path: { readonly id: TemplateId };
  /** The versions the caller has seen, as `ETag` gave them. */
  readonly headers: { readonly 'if-match'?: string | undefined };
};

const maxTries = 3;

/**
 * With `If-Match`, changes only the version the caller has seen. Without it, a change that collides with another is
 * applied again on top of it.
 *
 * @param write changes or deletes the current template.
 */
export async function changeTemplate(
  table: Table,
  { caller, path: { id }, headers }: OfTemplate<Pick<Manager, 'organizationId'>>,
  write: (
    before: Template,
  ) => Promise<{ readonly outcome: WriteOutcome; readonly after: Template }>,
): Promise<Template> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const before = await findTemplate(table, caller.organizationId, id);
    requireVersion(before, headers['if-match']);
    const { outcome, after } = await write(before);
    if (outcome === 'stored') return after;
    if (outcome !== 'changed_meanwhile') throw refusalOf(outcome);
  }
  throw new ServiceError('concurrent_change');
}

/** RFC 9110 §13.1.1. A bare version is accepted, too. */
function requireVersion({ version }: Template, ifMatch: string | undefined): void {
  const accepted = ['*', `${version}`, etagOf({ version })];
  const matches = ifMatch?.split(',').some((tag) => accepted.includes(tag.trim())) ?? true;
  if (!matches) throw new ServiceError('version_mismatch');
}

export function refusalOf(refusal: Exclude<WriteRefusal, 'changed_meanwhile'>): ServiceError {
  switch (refusal) {
    case 'name_taken':
      return new ServiceError('template_name_taken', undefined, taken('name'));
    case 'alias_taken':
      return new ServiceError('template_alias_taken', undefined, taken('alias'));
    case 'unknown_layout':
      return invalidField(
        'layout',
        'the organization has no such layout, or has not published it yet',
      );
  }
}

const taken = (path: string) => ({ errors: [{ path, message: 'is taken' }] });
