import { ServiceError } from '#shared/errors/service-error';
import {
  type OrganizationId,
  organizationIdOf,
  type TemplateId,
  templateIdSchema,
} from '#shared/tokens/resource-id';
import type { Template } from './template.ts';
import type { WriteOutcome } from './template-store.ts';

/**
 * Finds a template of the organization; another organization's is as unknown as one that never was.
 *
 * @throws ServiceError `template_not_found`
 */
export async function findTemplate(
  id: string,
  organizationId: OrganizationId,
  getTemplate: (id: TemplateId) => Promise<Template | undefined>,
): Promise<Template> {
  const templateId = templateIdSchema.safeParse(id).data;
  const isOwn = templateId !== undefined && organizationIdOf(templateId) === organizationId;
  const template = isOwn ? await getTemplate(templateId) : undefined;
  if (template === undefined) {
    throw new ServiceError('template_not_found', 'There is no template with this id.');
  }
  return template;
}

/**
 * Checks `If-Match`, when it is given: the version, quoted or not, that the caller has seen.
 *
 * @throws ServiceError `version_mismatch`
 */
export function requireVersion(template: Template, ifMatch: string | undefined): void {
  const matches =
    ifMatch === undefined || ifMatch === '*' || versionIn(ifMatch) === template.version;
  if (!matches) throw versionMismatch();
}

const versionIn = (ifMatch: string): number => Number(ifMatch.trim().replace(/^"(.*)"$/, '$1'));

/** @throws ServiceError `template_name_taken`, `version_mismatch` */
export function requireStored(outcome: WriteOutcome): void {
  if (outcome === 'changed_meanwhile') throw versionMismatch();
  if (outcome === 'name_taken') {
    throw new ServiceError('template_name_taken', 'Another template has this name.', {
      errors: [{ path: 'name', message: 'is taken' }],
    });
  }
}

const versionMismatch = (): ServiceError =>
  new ServiceError(
    'version_mismatch',
    'The template was changed since the version you have seen. Read it again, then repeat your change.',
  );
